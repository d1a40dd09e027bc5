package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.idp.authn.PasswordContract.Outcome;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The zero-page contract: a form with {@code username}, {@code password} and, for a person with a second factor,
 * {@code code} gets a session cookie and an empty page. Off unless the realm enables it, because it has no CSRF token.
 * Pages of other origins are refused, and it is throttled like every login.
 */
public final class DirectLoginEndpoint implements Endpoint {

  private final IdpSessions sessions;
  private final PasswordContract contract;
  private final LoginSteps steps;
  private final SecondFactor secondFactor;
  private final Refusals refusals;

  public DirectLoginEndpoint(
      IdpSessions sessions,
      PasswordContract contract,
      LoginSteps steps,
      SecondFactor secondFactor,
      Refusals refusals) {
    this.sessions = sessions;
    this.contract = contract;
    this.steps = steps;
    this.secondFactor = secondFactor;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!request.idp().directLogin()) {
      return refusals.page(request, 404, "not-found", "DIRECT_LOGIN_OFF");
    }
    if (!SameOrigin.mayHaveSent(request.http())) {
      return refusals.page(request, 403, "cross-site", "FOREIGN_ORIGIN");
    }
    Parameters fields = request.http().formParameters();
    String name = fields.one("username").orElse("");
    return switch (contract.authenticate(request, name, fields.one("password").orElse(""), LoginContract.DIRECT)) {
      case Outcome.Accepted(var person) -> accepted(request, person, name, fields.one("code"));
      case Outcome.MustChange(var person) -> refusals.page(request, 403, "login-refused", "PASSWORD_MUST_CHANGE");
      case Outcome.Refused() -> refusals.page(request, 403, "login-refused", "CREDENTIALS");
      case Outcome.Throttled(var retryAfter) -> throttled(request, retryAfter);
    };
  }

  /** A person who has or needs a second factor must send its code along: there is no page to ask for it. */
  private EdgeReply accepted(RealmRequest request, Person person, String name, Optional<String> code) {
    AuthnEvent first = steps.event(request, LoginContract.DIRECT);
    if (!steps.needsSecondStep(request, person, first)) {
      return opened(request, person, name, List.of(first));
    }
    if (code.isEmpty()) {
      return refusals.page(request, 403, "login-refused", "SECOND_FACTOR_MISSING");
    }
    return switch (secondFactor.check(request, person, code.get())) {
      case SecondFactor.Outcome.Accepted(var proof) ->
          opened(request, person, name, List.of(first, steps.event(request, LoginContract.of(proof))));
      case SecondFactor.Outcome.Refused() -> refusals.page(request, 403, "login-refused", "CODE");
      case SecondFactor.Outcome.TwoCodesNeeded() -> refusals.page(request, 403, "login-refused", "CODE");
      case SecondFactor.Outcome.Locked() -> refusals.page(request, 403, "login-refused", "CODE");
      case SecondFactor.Outcome.Throttled(var retryAfter) -> throttled(request, retryAfter);
    };
  }

  private EdgeReply opened(RealmRequest request, Person person, String name, List<AuthnEvent> passed) {
    return sessions.open(request, person, Optional.of(name), passed).on(EdgeReply.of(200, "text/html;charset=utf-8", ""));
  }

  private EdgeReply throttled(RealmRequest request, Duration retryAfter) {
    return refusals
        .page(request, 429, "too-many-tries", "THROTTLED")
        .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }
}
