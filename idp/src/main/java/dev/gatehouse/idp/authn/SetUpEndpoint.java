package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.SecondSteps.Bearer;
import dev.gatehouse.idp.authn.SecondSteps.Found;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.StrongFactors;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.totp.Enrolments;
import dev.gatehouse.idp.totp.SecondFactor;
import java.util.Optional;

/**
 * Sets up a first authenticator app during a login that needs one, or for a sign-on that asks more of a session. Its first
 * code is the second step. The page refuses a person who already has an app: the password alone must not be able to replace
 * it. A session is not enough by itself: the person logs in again, unless that was within the last ten minutes.
 */
public final class SetUpEndpoint implements Endpoint {

  private static final String FORM = "set-up";

  private final SecondSteps steps;
  private final SecondFactor secondFactor;
  private final StrongFactors factors;
  private final Enrolments enrolments;
  private final RecentLogin recentLogin;
  private final BrowserBinding browsers;
  private final SetUpPages setUpPages;
  private final Refusals refusals;

  public SetUpEndpoint(
      SecondSteps steps,
      SecondFactor secondFactor,
      StrongFactors factors,
      Enrolments enrolments,
      RecentLogin recentLogin,
      BrowserBinding browsers,
      SetUpPages setUpPages,
      Refusals refusals) {
    this.steps = steps;
    this.secondFactor = secondFactor;
    this.factors = factors;
    this.enrolments = enrolments;
    this.recentLogin = recentLogin;
    this.browsers = browsers;
    this.setUpPages = setUpPages;
    this.refusals = refusals;
  }

  static String address(RealmRequest request) {
    return request.here("login/set-up");
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return switch (steps.find(request)) {
      case Found.Elsewhere(EdgeReply reply) -> reply;
      case Found.Here(Bearer bearer) -> {
        Optional<SessionToken> browser = browsers.find(request);
        if (browser.isEmpty()) {
          yield refusals.page(request, 403, "cross-site", "NO_BROWSER_BINDING");
        }
        if (!LoginContracts.offersSecondStep(request)) {
          yield refusals.page(request, 404, "not-found", "SECOND_FACTOR_OFF");
        }
        // Whoever has something stronger proves it first: a thief of the password must not add an app.
        if (factors.hasAny(request, bearer.person().id())) {
          yield EdgeReply.seeOther(SecondStepEndpoint.address(request) + bearer.query());
        }
        if (secondFactor.needsConfirmation(request.realm().name(), bearer.person().id())) {
          yield refusals.page(request, 403, "second-factor-lost", "SECOND_FACTOR_UNCONFIRMED");
        }
        yield request.http().isGet() ? show(request, bearer, browser.get()) : submit(request, bearer, browser.get());
      }
    };
  }

  private EdgeReply show(RealmRequest request, Bearer bearer, SessionToken browser) {
    String hash = BrowserBinding.hash(browser);
    Optional<String> key = request.http().queryParameters().one("enrolment");
    Optional<Enrolments.Offer> offer = key.flatMap(k -> enrolments.find(request, bearer.person(), hash, k));
    if (offer.isPresent()) {
      return form(request, bearer, browser, key.get(), offer.get(), 200, Optional.empty());
    }
    // Otherwise anyone who finds a logged-in browser would have an app of their own, and its owner none.
    if (bearer instanceof Bearer.InSession weak && !recentLogin.isRecent(weak.session())) {
      return EdgeReply.seeOther(LoginEndpoint.formAddress(request, bearer.sought().map(PendingSignOn::key)));
    }
    // The key is in the address, so that a reload shows the same secret again.
    String fresh = enrolments.beginFirst(request, bearer.person(), hash);
    return EdgeReply.seeOther(address(request) + bearer.query() + "&enrolment=" + fresh);
  }

  private EdgeReply submit(RealmRequest request, Bearer bearer, SessionToken browser) {
    Parameters fields = request.http().formParameters();
    String hash = BrowserBinding.hash(browser);
    String key = request.http().queryParameters().one("enrolment").orElse("");
    Optional<Enrolments.Offer> offer = enrolments.find(request, bearer.person(), hash, key);
    if (offer.isEmpty()) {
      return EdgeReply.seeOther(address(request) + bearer.query());
    }
    if (!CsrfToken.isIn(request.http(), browser, FORM)) {
      return form(request, bearer, browser, key, offer.get(), 403, Optional.of("login.wrong.form"));
    }
    String code = fields.one("code").orElse("");
    String label = fields.one("label").orElse("");
    return switch (enrolments.confirm(request, bearer.person(), hash, key, code, label)) {
      case Enrolments.Outcome.WrongCode() ->
          form(request, bearer, browser, key, offer.get(), 403, Optional.of("set-up.wrong.code"));
      case Enrolments.Outcome.Gone() -> EdgeReply.seeOther(SecondStepEndpoint.address(request) + bearer.query());
      case Enrolments.Outcome.Done(var recoveryCodes) ->
          steps
              .passed(request, bearer, LoginContract.TOTP)
              .map(
                  opened ->
                      opened.on(
                          setUpPages.recoveryCodes(
                              request, recoveryCodes, opened.by(steps.nextWithoutOffer(request, bearer)))))
              // The app is set up nevertheless: the login begins again, and asks for its code.
              .orElseGet(() -> steps.gone(request));
    };
  }

  private EdgeReply form(
      RealmRequest request,
      Bearer bearer,
      SessionToken browser,
      String key,
      Enrolments.Offer offer,
      int status,
      Optional<String> wrong) {
    return setUpPages.form(
        request,
        offer,
        address(request) + bearer.query() + "&enrolment=" + key,
        CsrfToken.of(browser, FORM),
        bearer.person().name(),
        status,
        wrong);
  }
}
