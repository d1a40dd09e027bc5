package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The refresh token grant (RFC 6749, section 6), with rotation unless the authorization is bound to a key of the client
 * (RFC 9700, section 4.14.2). An old token that is presented again ends its family.
 */
final class RefreshTokenGrant implements Grant {

  private final RefreshTokens tokens;
  private final RefreshRotation rotation;
  private final Authorizations authorizations;
  private final IdpSessions sessions;

  RefreshTokenGrant(
      RefreshTokens tokens, RefreshRotation rotation, Authorizations authorizations, IdpSessions sessions) {
    this.tokens = tokens;
    this.rotation = rotation;
    this.authorizations = authorizations;
    this.sessions = sessions;
  }

  @Override
  public String name() {
    return "refresh_token";
  }

  @Override
  public Set<GrantType> uses() {
    return Set.of(GrantType.REFRESH);
  }

  @Override
  public Result<GrantResult, OAuthError> grant(TokenRequest request) {
    String realm = request.request().realm().name();
    return request.form()
        .required("refresh_token")
        .then(
            token ->
                tokens
                    .read(realm, token)
                    .map(genuine -> refresh(request, genuine))
                    .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "The refresh token was not issued here")));
  }

  private Result<GrantResult, OAuthError> refresh(TokenRequest request, RefreshTokens.Genuine token) {
    Optional<Authorization> found = authorizations.lastKnown(request.request(), token.authorization());
    if (found.isEmpty()) {
      return OAuthError.refused(Code.INVALID_GRANT, "The authorization has ended");
    }
    if (!found.get().clientId().equals(request.client().id())) {
      return OAuthError.refused(Code.INVALID_GRANT, "The refresh token is another client's");
    }
    return BindingCheck.keep(request, found.get().tokens().confirmation())
        .then(bound -> current(request.request(), found.get()))
        .then(current -> rotated(request, current, token));
  }

  /** Marks the session as used and updates the person from the directory. */
  private Result<Authorization, OAuthError> current(RealmRequest request, Authorization found) {
    if (found.endsWith().isPresent() && sessions.use(request, found.endsWith().get()).isEmpty()) {
      return OAuthError.refused(Code.INVALID_GRANT, "The authorization has ended");
    }
    return authorizations
        .reread(request, found)
        .<Result<Authorization, OAuthError>>map(Result::accepted)
        .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "The person may not log in any more"));
  }

  private Result<GrantResult, OAuthError> rotated(TokenRequest request, Authorization current, RefreshTokens.Genuine token) {
    TokenForm form = request.form();
    Client client = request.client();
    return ScopeCheck.check(client, current.grant().scopes(), form.scopes())
        .then(
            scopes ->
                ResourceCheck.check(request, current.grant().resources())
                    .then(resources -> rotated(request, token, scopes, resources)));
  }

  private Result<GrantResult, OAuthError> rotated(
      TokenRequest request, RefreshTokens.Genuine token, Set<String> scopes, List<String> resources) {
    return switch (rotation.rotate(request.request(), request.client(), token)) {
      case RefreshRotation.Result.Next(Authorization authorization, String next) ->
          Result.accepted(new GrantResult.Again(authorization, scopes, resources, next));
      case RefreshRotation.Result.Ended() -> OAuthError.refused(Code.INVALID_GRANT, "The authorization has ended");
      case RefreshRotation.Result.Replayed() -> {
        authorizations.end(
            request.request().context(),
            request.request().realm().name(),
            token.authorization(),
            Authorizations.End.REPLAYED);
        yield OAuthError.refused(Code.INVALID_GRANT, "The refresh token was used before: the authorization is revoked");
      }
    };
  }
}
