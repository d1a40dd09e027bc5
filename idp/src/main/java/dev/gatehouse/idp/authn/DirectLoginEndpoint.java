package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.idp.authn.PasswordContract.Outcome;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;

/**
 * The zero-page contract: a form with {@code username} and {@code password} is answered by a session cookie and an empty
 * page. Off unless the realm turns it on, as it has no CSRF token; refused for pages of other origins, and throttled like
 * every login.
 */
public final class DirectLoginEndpoint implements Endpoint {

  private final IdpSessions sessions;
  private final PasswordContract contract;
  private final Refusals refusals;

  public DirectLoginEndpoint(IdpSessions sessions, PasswordContract contract, Refusals refusals) {
    this.sessions = sessions;
    this.contract = contract;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!request.idp().directLogin()) {
      return refusals.page(request, 404, "not-found", "DIRECT_LOGIN_OFF");
    }
    if (!SameOriginCheck.passes(request.http())) {
      return refusals.page(request, 403, "cross-site", "FOREIGN_ORIGIN");
    }
    Parameters fields = request.http().formParameters();
    String name = fields.one("username").orElse("");
    return switch (contract.authenticate(request, name, fields.one("password").orElse(""), LoginContract.DIRECT)) {
      case Outcome.Accepted(var person) ->
          EdgeReply.of(200, "text/html;charset=utf-8", "")
              .with("Set-Cookie", sessions.open(request, person, LoginContract.DIRECT).cookie());
      case Outcome.MustChange(var person) -> refusals.page(request, 403, "login-refused", "PASSWORD_MUST_CHANGE");
      case Outcome.Refused() -> refusals.page(request, 403, "login-refused", "CREDENTIALS");
      case Outcome.Throttled(var retryAfter) ->
          refusals
              .page(request, 429, "too-many-tries", "THROTTLED")
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
    };
  }
}
