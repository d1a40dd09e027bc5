package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.SecondSteps.Bearer;
import dev.gatehouse.idp.authn.SecondSteps.Found;
import dev.gatehouse.idp.authn.TokenPages.Decided;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.OwnPins;
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The second step by PIN and code of a token, for a person who is known by a first one. */
public final class TokenStepEndpoint implements Endpoint {

  private static final Set<OwnTokens.Outcome> FAULTS = Set.of(OwnTokens.Outcome.PIN_NOT_ALLOWED, OwnTokens.Outcome.PINS_DIFFER);

  private final SecondSteps steps;
  private final TokenPages forms;
  private final OwnTokens tokens;
  private final LostTokens lost;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  TokenStepEndpoint(SecondSteps steps, TokenPages forms, OwnTokens tokens, LostTokens lost, BrowserBinding browsers, Refusals refusals) {
    this.steps = steps;
    this.forms = forms;
    this.tokens = tokens;
    this.lost = lost;
    this.browsers = browsers;
    this.refusals = refusals;
  }

  static String address(RealmRequest request) {
    return request.here("login/second/token");
  }

  @Override
  public EdgeReply handle(RealmRequest sent) {
    if (!LoginContracts.offersToken(sent)) {
      return refusals.page(sent, 404, "not-found", "TOKENS_OFF");
    }
    return switch (steps.find(sent)) {
      case Found.Elsewhere(EdgeReply reply) -> reply;
      case Found.Here(Bearer bearer) -> {
        RealmRequest request = PendingSignOn.spoken(sent, bearer.sought());
        SessionToken browser = browsers.findOrCreate(request);
        yield request.http().isGet()
            ? browsers.keep(request, browser, show(request, bearer, browser, 200, Optional.empty()))
            : submit(request, bearer, browser);
      }
    };
  }

  private EdgeReply show(RealmRequest request, Bearer bearer, SessionToken browser, int status, Optional<String> wrong) {
    return isForFirstPin(request, bearer)
        ? showFirstPin(request, bearer, browser, status, wrong, Optional.empty())
        : forms.show(request, browser, form(request, bearer), status, wrong);
  }

  private EdgeReply showFirstPin(
      RealmRequest request, Bearer bearer, SessionToken browser, int status, Optional<String> wrong, Optional<OwnPins.Asked> asked) {
    boolean byResponse = tokens.pins().isByResponse(request, bearer.person());
    return forms.firstPin(request, browser, form(request, bearer), status, wrong, new TokenPages.Response(byResponse, asked, tokens.pins().proposed(request)));
  }

  /** Somebody who has just passed a first step, and has a token and no PIN, chooses one with a code: these are two factors already. */
  private boolean isForFirstPin(RealmRequest request, Bearer bearer) {
    return bearer instanceof Bearer.AfterFirstStep
        && !tokens.hasPin(request, bearer.person())
        && !tokens.of(request, bearer.person()).isEmpty();
  }

  private EdgeReply submit(RealmRequest request, Bearer bearer, SessionToken browser) {
    TokenPages.Form form = form(request, bearer);
    if (!CsrfToken.isIn(request.http(), browser, TokenPages.FORM)) {
      return browsers.keep(request, browser, show(request, bearer, browser, 403, Optional.of("login.wrong.form")));
    }
    if (request.http().formParameters().one("action").filter("lost"::equals).isPresent() && bearer instanceof Bearer.AfterFirstStep) {
      return reportLost(request, bearer, browser);
    }
    if (isForFirstPin(request, bearer)) {
      return firstPin(request, bearer, browser);
    }
    return switch (forms.submit(request, browser, form)) {
      case Decided.Again(EdgeReply page) -> page;
      case Decided.Accepted(var result) ->
          result.person().id().equals(bearer.person().id())
              ? steps
                  .passed(request, bearer, LoginContract.TOKEN)
                  .map(opened -> opened.to(steps.next(request, bearer)))
                  .orElseGet(() -> steps.gone(request))
              : steps.gone(request);
    };
  }

  private EdgeReply reportLost(RealmRequest request, Bearer bearer, SessionToken browser) {
    String password = request.http().formParameters().one("password").orElse("");
    return switch (lost.report(request, bearer.person(), password)) {
      case LostTokens.Outcome.Done() -> forms.lost(request, form(request, bearer));
      case LostTokens.Outcome.WrongPassword() -> show(request, bearer, browser, 403, Optional.of("tokens.wrong.password"));
      case LostTokens.Outcome.NotHere() -> show(request, bearer, browser, 403, Optional.of("token.lost.not"));
      case LostTokens.Outcome.NotNow() -> show(request, bearer, browser, 503, Optional.of("token.lost.not_now"));
      case LostTokens.Outcome.Throttled(var retryAfter) ->
          show(request, bearer, browser, 429, Optional.of("login.wrong.throttled"))
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
    };
  }

  /** The login goes on with the PIN and the next code. */
  private EdgeReply firstPin(RealmRequest request, Bearer bearer, SessionToken browser) {
    Parameters fields = request.http().formParameters();
    Optional<String> made = tokens.serverPin(request, bearer.person().id());
    String pin = made.or(() -> fields.one("pin")).orElse("");
    try {
      OwnPins.Typed typed =
          new OwnPins.Typed(
              fields.one("passcode").orElse(""), fields.one("challenge").orElse(""), pin, made.or(() -> fields.one("again")).orElse(""));
      OwnPins.Answer answer = tokens.pins().first(request, bearer.person(), typed);
      OwnTokens.Outcome outcome = answer.outcome();
      if (outcome == OwnTokens.Outcome.DONE && made.isPresent()) {
        return forms.madePin(request, pin, form(request, bearer));
      }
      if (outcome == OwnTokens.Outcome.DONE) {
        return EdgeReply.seeOther(address(request) + bearer.query());
      }
      boolean goesOn = outcome == OwnTokens.Outcome.RESPONSE_NEEDED;
      int status = goesOn ? 200 : FAULTS.contains(outcome) ? 400 : 403;
      Optional<String> wrong = goesOn ? Optional.empty() : Optional.of("tokens.wrong." + outcome.name().toLowerCase(Locale.ROOT));
      return showFirstPin(request, bearer, browser, status, wrong, answer.asked());
    } catch (PasscodeStoreUnavailable e) {
      return show(request, bearer, browser, 503, Optional.of(TokenPages.text(e)));
    }
  }

  private TokenPages.Form form(RealmRequest request, Bearer bearer) {
    Map<String, String> links = new HashMap<>();
    if (bearer instanceof Bearer.AfterFirstStep) {
      links.put("again", LoginEndpoint.address(request, bearer.sought().map(PendingSignOn::key)));
      if (tokens.onlyOne(request, bearer.person()).isPresent()) {
        links.put("lost", address(request) + bearer.query());
      }
    }
    return new TokenPages.Form(address(request) + bearer.query(), bearer.person().name(), true, bearer.sought(), links);
  }
}
