package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.SecondSteps.Bearer;
import dev.gatehouse.idp.authn.SecondSteps.Found;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.passkey.PasskeyLogins;
import dev.gatehouse.idp.passkey.PasskeyParty;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.totp.SecondFactor;
import dev.gatehouse.idp.totp.SecondFactor.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The second step: a form for the code of an authenticator app, or for a recovery code. With {@code step} it follows a
 * login's first step, with {@code pending} it raises a session. A person without an app is redirected to set one up.
 */
public final class SecondStepEndpoint implements Endpoint {

  static final String FORM = "second";

  /**
   * What the person has beside a password, read once for a request.
   *
   * @param app an authenticator app
   * @param passkey one that counts as a second factor
   */
  private record Owned(boolean app, boolean passkey, boolean token) {

    boolean isNothing() {
      return !app && !passkey && !token;
    }
  }

  private final SecondSteps steps;
  private final SecondFactor secondFactor;
  private final PasskeyLogins passkeys;
  private final PasscodeChecks passcodes;
  private final BrowserBinding browsers;
  private final Pages pages;

  public SecondStepEndpoint(
      SecondSteps steps, SecondFactor secondFactor, PasskeyLogins passkeys, PasscodeChecks passcodes, BrowserBinding browsers, Pages pages) {
    this.passcodes = passcodes;
    this.steps = steps;
    this.secondFactor = secondFactor;
    this.passkeys = passkeys;
    this.browsers = browsers;
    this.pages = pages;
  }

  static String address(RealmRequest request) {
    return request.here("login/second");
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return switch (steps.find(request)) {
      case Found.Elsewhere(EdgeReply reply) -> reply;
      case Found.Here(Bearer bearer) -> {
        Owned owned = owned(request, bearer);
        if (isForToken(request, bearer, owned)) {
          yield EdgeReply.seeOther(TokenStepEndpoint.address(request) + bearer.query());
        }
        if (owned.isNothing() && steps.helps(request, bearer, LoginContract.TOTP)) {
          yield EdgeReply.seeOther(SetUpEndpoint.address(request) + bearer.query());
        }
        yield request.http().isGet()
            ? form(request, bearer, owned, 200, LoginEndpoint.wrong(request))
            : submit(request, bearer, owned);
      }
    };
  }

  private Owned owned(RealmRequest request, Bearer bearer) {
    PersonId person = bearer.person().id();
    return new Owned(
        secondFactor.isSetUp(request.realm().name(), person),
        !passkeys.strong(request, person).isEmpty(),
        passcodes.hasToken(request.realm(), person));
  }

  /** A token is asked for if nothing else does that the person has. */
  private boolean isForToken(RealmRequest request, Bearer bearer, Owned owned) {
    if (!helpsByToken(request, bearer, owned) || isByPasskey(request, bearer, owned)) {
      return false;
    }
    return !LoginContracts.offersSecondStep(request)
        || !AuthnDecisions.isReachedWith(request, LoginSteps.wanted(bearer.sought()), bearer.passed(), LoginContract.TOTP)
        || !owned.app() && owned.token();
  }

  /** After a first step, whoever has a token logs in with it, whatever the sign-on that waits demands besides. */
  private static boolean helpsByToken(RealmRequest request, Bearer bearer, Owned owned) {
    return LoginContracts.offersToken(request)
        && (bearer instanceof Bearer.AfterFirstStep && owned.token()
            || AuthnDecisions.isReachedWith(request, LoginSteps.wanted(bearer.sought()), bearer.passed(), LoginContract.TOKEN));
  }

  private boolean isByPasskey(RealmRequest request, Bearer bearer, Owned owned) {
    return owned.passkey() && PasskeyParty.of(request).isPresent() && steps.helps(request, bearer, LoginContract.PASSKEY);
  }

  private EdgeReply submit(RealmRequest request, Bearer bearer, Owned owned) {
    Parameters fields = request.http().formParameters();
    Optional<SessionToken> browser = browsers.find(request);
    if (browser.isEmpty() || !CsrfToken.isIn(request.http(), browser.get(), FORM)) {
      return form(request, bearer, owned, 403, Optional.of("login.wrong.form"));
    }
    return switch (secondFactor.check(request, bearer.person(), fields.one("code").orElse(""))) {
      case Outcome.Accepted(var proof) -> finish(request, bearer, LoginContract.of(proof));
      case Outcome.Refused() -> form(request, bearer, owned, 403, Optional.of("second.wrong.code"));
      case Outcome.Locked() -> form(request, bearer, owned, 403, Optional.of("second.wrong.code"));
      case Outcome.TwoCodesNeeded() -> form(request, bearer, owned, 403, Optional.of("second.wrong.two_codes"));
      case Outcome.Throttled(var retryAfter) ->
          ThrottledForm.with(
              form(request, bearer, owned, ThrottledForm.STATUS, Optional.of("login.wrong.throttled"), Optional.of(retryAfter)),
              retryAfter);
    };
  }

  private EdgeReply finish(RealmRequest request, Bearer bearer, LoginContract contract) {
    return steps
        .passed(request, bearer, contract)
        .map(opened -> opened.to(steps.next(request, bearer)))
        .orElseGet(() -> steps.gone(request));
  }

  private EdgeReply form(RealmRequest sent, Bearer bearer, Owned owned, int status, Optional<String> wrong) {
    return form(sent, bearer, owned, status, wrong, Optional.empty());
  }

  private EdgeReply form(
      RealmRequest sent, Bearer bearer, Owned owned, int status, Optional<String> wrong, Optional<Duration> retryAfter) {
    RealmRequest request = PendingSignOn.spoken(sent, bearer.sought());
    SessionToken browser = browsers.findOrCreate(request);
    Map<String, Object> model = new HashMap<>();
    model.put("action", address(request) + bearer.query());
    model.put("csrf", CsrfToken.of(browser, FORM));
    model.put("name", bearer.person().name());
    boolean byPasskey = isByPasskey(request, bearer, owned);
    boolean byToken = owned.token() && helpsByToken(request, bearer, owned);
    boolean byCode = owned.app() && steps.helps(request, bearer, LoginContract.TOTP);
    model.put("code", byCode);
    model.put("passkey", byPasskey ? Optional.of(request.here(PasskeyEndpoint.SECOND) + bearer.query()) : Optional.empty());
    model.put("passkeys", request.here("account/passkeys"));
    model.put("token", byToken ? Optional.of(TokenStepEndpoint.address(request) + bearer.query()) : Optional.empty());
    model.put("wrong", wrong);
    retryAfter.ifPresent(wait -> ThrottledForm.addWait(model, wait));
    model.put("partner", bearer.sought().map(PendingSignOn::partner));
    // In a session, the person cannot change at this point; a login may begin again.
    model.put(
        "again",
        bearer instanceof Bearer.AfterFirstStep
            ? Optional.of(LoginEndpoint.address(request, bearer.sought().map(PendingSignOn::key)))
            : Optional.empty());
    return browsers.keep(
        request, browser, pages.render(request.http(), Optional.of(request.realm()), new Page(status, "second", model, LoginEndpoint.policy(request))));
  }
}
