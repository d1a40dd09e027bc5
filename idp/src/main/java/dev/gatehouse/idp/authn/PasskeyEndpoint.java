package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.SecondSteps.Bearer;
import dev.gatehouse.idp.authn.SecondSteps.Found;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.passkey.PasskeyCeremony;
import dev.gatehouse.idp.passkey.PasskeyCeremony.Purpose;
import dev.gatehouse.idp.passkey.PasskeyLevels;
import dev.gatehouse.idp.passkey.PasskeyLogins;
import dev.gatehouse.idp.passkey.PasskeyParty;
import dev.gatehouse.idp.passkey.PasskeyResult;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.EnabledPeople;
import dev.gatehouse.idp.session.LoginContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Logins and second steps by passkey. GET gives the script what to ask the browser for, POST takes the browser's answer. With {@code
 * step} or on the path of the second step the person is known; else whoever answers is.
 */
public final class PasskeyEndpoint {

  static final String LOGIN = "login/passkey";
  static final String SECOND = "login/second/passkey";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final PasskeyLogins logins;
  private final LoginSteps steps;
  private final SecondSteps secondSteps;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final EnabledPeople people;
  private final Refusals refusals;
  private final InstantSource clock;

  public PasskeyEndpoint(
      PasskeyLogins logins,
      LoginSteps steps,
      SecondSteps secondSteps,
      BrowserBinding browsers,
      PendingSignOns waiting,
      EnabledPeople people,
      Refusals refusals,
      InstantSource clock) {
    this.logins = logins;
    this.steps = steps;
    this.secondSteps = secondSteps;
    this.browsers = browsers;
    this.waiting = waiting;
    this.people = people;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** The endpoint for the first step. */
  Endpoint first() {
    return request -> {
      Optional<SessionToken> browser = browsers.find(request);
      Optional<PasskeyParty> party = PasskeyParty.of(request);
      if (party.isEmpty()) {
        return refusals.page(request, 404, "not-found", "PASSKEYS_OFF");
      }
      Optional<String> pending = request.http().queryParameters().one("pending");
      Optional<PendingSignOn> sought = waiting.sought(request, browsers);
      if (browser.isEmpty() || (pending.isPresent() && sought.isEmpty())) {
        return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_LOGIN");
      }
      PasskeyCeremony ceremony = new PasskeyCeremony(Purpose.LOGIN, BrowserBinding.hash(browser.get()), pending.orElse(""));
      return request.http().isGet()
          ? json(logins.options(request, party.get(), ceremony, List.of()))
          : login(request, ceremony, browser.get(), sought);
    };
  }

  private EdgeReply login(
      RealmRequest request, PasskeyCeremony ceremony, SessionToken browser, Optional<PendingSignOn> sought) {
    String again = LoginEndpoint.address(request, sought.map(PendingSignOn::key));
    String wrong = again + (again.contains("?") ? "&" : "?") + "wrong=";
    if (!CsrfToken.isIn(request.http(), browser, LoginEndpoint.FORM)) {
      return EdgeReply.seeOther(wrong + "form");
    }
    String response = request.http().formParameters().one("response").orElse("");
    return switch (logins.check(request, ceremony, Optional.empty(), response)) {
      case PasskeyResult.Refused refused -> EdgeReply.seeOther(wrong + "passkey");
      case PasskeyResult.Accepted accepted -> {
        Optional<Person> person = people.find(request, accepted.passkey().person(), LoginContract.PASSKEY);
        yield person.isEmpty()
            ? EdgeReply.seeOther(wrong + "passkey")
            : steps.passed(request, person.get(), Optional.empty(), event(accepted), browser, sought);
      }
    };
  }

  /** The endpoint for the second step. */
  Endpoint second() {
    return request ->
        switch (secondSteps.find(request)) {
          case Found.Elsewhere(EdgeReply reply) -> reply;
          case Found.Here(Bearer bearer) -> second(request, bearer);
        };
  }

  private EdgeReply second(RealmRequest request, Bearer bearer) {
    Optional<SessionToken> browser = browsers.find(request);
    Optional<PasskeyParty> party = PasskeyParty.of(request);
    List<Passkey> allowed = logins.strong(request, bearer.person().id());
    if (browser.isEmpty() || party.isEmpty() || allowed.isEmpty()) {
      return refusals.page(request, 404, "not-found", "PASSKEYS_OFF");
    }
    PasskeyCeremony ceremony =
        new PasskeyCeremony(Purpose.SECOND_STEP, BrowserBinding.hash(browser.get()), bearer.person().id().value() + bearer.query());
    if (request.http().isGet()) {
      return json(logins.options(request, party.get(), ceremony, allowed));
    }
    String wrong = SecondStepEndpoint.address(request) + bearer.query() + "&wrong=";
    if (!CsrfToken.isIn(request.http(), browser.get(), SecondStepEndpoint.FORM)) {
      return EdgeReply.seeOther(wrong + "form");
    }
    String response = request.http().formParameters().one("response").orElse("");
    return switch (logins.check(request, ceremony, Optional.of(bearer.person().id()), response)) {
      case PasskeyResult.Refused refused -> EdgeReply.seeOther(wrong + "passkey");
      case PasskeyResult.Accepted accepted ->
          secondSteps
              .passed(request, bearer, event(accepted))
              .map(opened -> opened.to(secondSteps.nextWithoutOffer(request, bearer)))
              .orElseGet(() -> secondSteps.gone(request));
    };
  }

  private AuthnEvent event(PasskeyResult.Accepted accepted) {
    boolean isSynced = accepted.passkey().model().backupEligible();
    LoginContract contract =
        !accepted.verified() ? LoginContract.SECURITY_KEY : isSynced ? LoginContract.SYNCED_PASSKEY : LoginContract.PASSKEY;
    AuthnLevel level = PasskeyLevels.of(accepted.passkey());
    return new AuthnEvent(clock.instant(), contract, level);
  }

  /** The options for the script, which no other site can read. */
  public static EdgeReply json(Map<String, Object> options) {
    return EdgeReply.of(200, "application/json", JSON.writeValueAsBytes(options))
        .with("Cache-Control", "no-store")
        .with("Cross-Origin-Resource-Policy", "same-origin")
        .with("X-Content-Type-Options", "nosniff");
  }
}
