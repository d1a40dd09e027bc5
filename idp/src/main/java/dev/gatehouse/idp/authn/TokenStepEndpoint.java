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
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
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
  private final BrowserBinding browsers;
  private final Refusals refusals;

  TokenStepEndpoint(SecondSteps steps, TokenPages forms, OwnTokens tokens, BrowserBinding browsers, Refusals refusals) {
    this.steps = steps;
    this.forms = forms;
    this.tokens = tokens;
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
    TokenPages.Form form = form(request, bearer);
    return isForFirstPin(request, bearer)
        ? forms.firstPin(request, browser, form, status, wrong)
        : forms.show(request, browser, form, status, wrong);
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

  /** The login goes on with the PIN and the next code. */
  private EdgeReply firstPin(RealmRequest request, Bearer bearer, SessionToken browser) {
    Parameters fields = request.http().formParameters();
    String code = fields.one("passcode").orElse("");
    Optional<String> made = tokens.serverPin(request, bearer.person().id());
    String pin = made.or(() -> fields.one("pin")).orElse("");
    try {
      OwnTokens.Outcome outcome = tokens.firstPin(request, bearer.person(), code, pin, made.or(() -> fields.one("again")).orElse(""));
      if (outcome == OwnTokens.Outcome.DONE && made.isPresent()) {
        return forms.madePin(request, pin, form(request, bearer));
      }
      return outcome == OwnTokens.Outcome.DONE
          ? EdgeReply.seeOther(address(request) + bearer.query())
          : show(
              request, bearer, browser, FAULTS.contains(outcome) ? 400 : 403,
              Optional.of("tokens.wrong." + outcome.name().toLowerCase(Locale.ROOT)));
    } catch (PasscodeStoreUnavailable e) {
      return show(request, bearer, browser, 503, Optional.of("token.unavailable"));
    }
  }

  private static TokenPages.Form form(RealmRequest request, Bearer bearer) {
    Map<String, String> links =
        bearer instanceof Bearer.AfterFirstStep
            ? Map.of("again", LoginEndpoint.address(request, bearer.sought().map(PendingSignOn::key)))
            : Map.of();
    return new TokenPages.Form(address(request) + bearer.query(), bearer.person().name(), true, bearer.sought(), links);
  }
}
