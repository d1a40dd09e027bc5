package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import java.util.Optional;

/**
 * Revocation (RFC 7009). Revoking a refresh token, even a used one, ends the authorization with all its tokens;
 * revoking an access token ends only that token. An invalid token gets the same answer; another client's token is not
 * revoked.
 */
final class RevokeEndpoint implements Endpoint {

  static final String PATH = "oauth/revoke";

  private static final OAuthError NOT_YOURS =
      OAuthError.of(Code.UNAUTHORIZED_CLIENT, "The token is another client's");

  private final AuthenticatedForm forms;
  private final AccessTokens accessTokens;
  private final RefreshTokens refreshTokens;
  private final Authorizations authorizations;
  private final AuditLog audit;
  private final OAuthReplies replies;

  RevokeEndpoint(
      ClientAuthentications authentications,
      AccessTokens accessTokens,
      RefreshTokens refreshTokens,
      Authorizations authorizations,
      AuditLog audit,
      OAuthReplies replies) {
    this.forms = new AuthenticatedForm(authentications, replies);
    this.accessTokens = accessTokens;
    this.refreshTokens = refreshTokens;
    this.authorizations = authorizations;
    this.audit = audit;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return forms.read(request, (client, form) -> handle(request, client.client(), form));
  }

  private EdgeReply handle(RealmRequest request, Client client, TokenForm form) {
    return switch (form.required("token")) {
      case Result.Refused(var error) -> replies.refused(request, client.id(), error);
      case Result.Accepted(String token) ->
          revoked(request, client, token)
              .map(error -> replies.refused(request, client.id(), error))
              .orElseGet(() -> OAuthReplies.json(200, new byte[0]));
    };
  }

  /** Returns an error; empty if the token was revoked, or if there was nothing to revoke. */
  private Optional<OAuthError> revoked(RealmRequest request, Client client, String value) {
    Optional<AccessToken> token = accessTokens.find(request, value);
    if (token.isPresent()) {
      return revoked(request, client, token.get());
    }
    return refreshTokens
        .read(request.realm().name(), value)
        .flatMap(genuine -> authorizations.find(request, genuine.authorization()))
        .flatMap(authorization -> ended(request, client, authorization));
  }

  private Optional<OAuthError> revoked(RealmRequest request, Client client, AccessToken token) {
    if (!token.clientId().equals(client.id())) {
      return Optional.of(NOT_YOURS);
    }
    accessTokens.revoke(request, token);
    audit.record(
        new AuditEvent.TokenRevoked(
            request.context(), client.id(), token.person().map(PersonId::value).orElse("-"), token.id()));
    return Optional.empty();
  }

  private Optional<OAuthError> ended(RealmRequest request, Client client, Authorization authorization) {
    if (!authorization.clientId().equals(client.id())) {
      return Optional.of(NOT_YOURS);
    }
    authorizations.end(request.context(), authorization.realm(), authorization.id(), Authorizations.End.REVOKED);
    return Optional.empty();
  }
}
