package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.idp.authn.LoginSteps;
import dev.gatehouse.idp.authn.PasswordContract;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Authorization.Authn;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.StandardScopes;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The resource owner password grant (RFC 6749, section 4.3): historical (RFC 9700, section 2.4), and off unless a
 * client's registration enables it. All rules of a login apply: throttling, the second factor, the client's least
 * contract. There is no page on which a person could do more, so a login that needs more is refused.
 */
final class PasswordGrant implements Grant {

  private final PasswordContract contract;
  private final LoginSteps steps;
  private final InstantSource clock;
  private final RandomGenerator random;

  PasswordGrant(PasswordContract contract, LoginSteps steps, InstantSource clock, RandomGenerator random) {
    this.contract = contract;
    this.steps = steps;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public String name() {
    return "password";
  }

  @Override
  public Set<GrantType> uses() {
    return Set.of(GrantType.PASSWORD);
  }

  @Override
  public Result<GrantResult, OAuthError> grant(TokenRequest request) {
    TokenForm form = request.form();
    // These checks come before the directory is asked.
    return scopes(request)
        .then(
            scopes ->
                ResourceCheck.ofClient(request)
                    .then(
                        resources ->
                            form.required("username")
                                .then(
                                    name ->
                                        form.required("password")
                                            .then(password -> login(request, name, password))
                                            .then(login -> granted(request, login, scopes, resources)))));
  }

  private static Result<Set<String>, OAuthError> scopes(TokenRequest request) {
    Set<String> may = request.client().config().permissions().scopes();
    return ScopeCheck.check(request.client(), may, request.form().scopes().or(() -> Optional.of(StandardScopes.unasked(may))));
  }

  private record Login(Person person, AuthnDecision.Satisfied authn) {}

  private Result<Login, OAuthError> login(TokenRequest request, String name, String password) {
    return switch (contract.authenticate(request.request(), guessSource(request), name, password, LoginContract.GRANT)) {
      case PasswordContract.Outcome.Accepted(Person person) -> {
        Optional<LoginContract> least = request.client().config().login().contract().flatMap(LoginContract::of);
        yield steps
            .alone(request.request(), person, LoginContract.GRANT, least)
            .<Result<Login, OAuthError>>map(authn -> Result.accepted(new Login(person, authn)))
            .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "A password alone is not enough"));
      }
      case PasswordContract.Outcome.MustChange(Person person) ->
          OAuthError.refused(Code.INVALID_GRANT, "The password has to be changed first");
      case PasswordContract.Outcome.Refused() ->
          OAuthError.refused(Code.INVALID_GRANT, "The name or the password is wrong");
      case PasswordContract.Outcome.Throttled(var retryAfter) ->
          new Result.Refused<>(
              OAuthError.slowed(Code.INVALID_GRANT, "Too many tries; try again later", retryAfter));
    };
  }

  /** A caller without a client secret could be anyone. */
  private static GuessSource guessSource(TokenRequest request) {
    return request.authenticated().method() == Method.NONE
        ? new GuessSource.Stranger(request.request().http().client())
        : new GuessSource.OAuthClient(request.client().id());
  }

  private Result<GrantResult, OAuthError> granted(TokenRequest request, Login login, Set<String> scopes, List<String> resources) {
    Instant now = clock.instant();
    Authorization authorization =
        new Authorization(
            SessionToken.create(random).id(),
            request.request().realm().name(),
            request.client().id(),
            Optional.empty(),
            Authorization.Grant.of(scopes, resources),
            new Authn(login.authn().at(), login.authn().classRef(), List.of("pwd")),
            PersonSnapshot.of(login.person(), now),
            Authorization.Tokens.NONE,
            now,
            now);
    return Result.accepted(new GrantResult.Fresh(authorization, false, scopes, resources));
  }
}
