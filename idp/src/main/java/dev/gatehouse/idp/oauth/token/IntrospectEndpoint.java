package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import java.util.Optional;

/**
 * Introspection (RFC 7662): the current content of a token. A client can introspect its own tokens; a token of another
 * client can only be introspected by a resource server for which it is meant. For everyone else the token is inactive.
 */
final class IntrospectEndpoint implements Endpoint {

  static final String PATH = "oauth/introspect";

  private static final byte[] INACTIVE = new JsonText().flag("active", false).toBytes();

  private final ClientAuthentications authentications;
  private final AccessTokens accessTokens;
  private final RefreshTokens refreshTokens;
  private final Authorizations authorizations;
  private final OAuthReplies replies;

  IntrospectEndpoint(
      ClientAuthentications authentications,
      AccessTokens accessTokens,
      RefreshTokens refreshTokens,
      Authorizations authorizations,
      OAuthReplies replies) {
    this.authentications = authentications;
    this.accessTokens = accessTokens;
    this.refreshTokens = refreshTokens;
    this.authorizations = authorizations;
    this.replies = replies;
  }

  private record Asked(Client client, String token) {}

  @Override
  public EdgeReply handle(RealmRequest request) {
    Result<EdgeReply, OAuthError> answer =
        TokenForm.read(request)
            .then(
                form ->
                    authentications
                        .authenticate(request, form.parameters())
                        .then(IntrospectEndpoint::confidential)
                        .then(client -> form.required("token").then(token -> Result.accepted(new Asked(client, token)))))
            .then(asked -> Result.accepted(OAuthReplies.json(200, answer(request, asked))));
    return replies.answered(request, answer);
  }

  /** RFC 7662, section 2.1: prevents scanning for tokens. */
  private static Result<Client, OAuthError> confidential(AuthenticatedClient authenticated) {
    return authenticated.method() == Method.NONE
        ? OAuthError.refused(Code.INVALID_CLIENT, "Only a client that proves who it is may ask")
        : Result.accepted(authenticated.client());
  }

  private byte[] answer(RealmRequest request, Asked asked) {
    return accessTokens
        .findValid(request, asked.token())
        .filter(valid -> mayKnow(asked.client(), valid.token()))
        .map(valid -> content(request, valid))
        .or(() -> refreshToken(request, asked))
        .orElse(INACTIVE);
  }

  /**
   * Returns whether the client may read the token. A resource server is a client that is itself in the audience, or a
   * client without any grant that has the audience among its resources: a client that may get tokens for a resource is
   * not the resource itself.
   */
  private static boolean mayKnow(Client client, AccessToken token) {
    return token.clientId().equals(client.id())
        || token.audience().contains(client.id())
        || client.config().permissions().grants().isEmpty()
            && client.config().permissions().resources().stream().anyMatch(token.audience()::contains);
  }

  private static byte[] content(RealmRequest request, AccessTokens.ValidToken valid) {
    JsonText json = new JsonText().flag("active", true).text("token_type", TokenIssue.type(valid.token()));
    return AccessTokenClaims.write(json, request, valid.token(), valid.authorization()).toBytes();
  }

  /** Only for the token's own client. */
  private Optional<byte[]> refreshToken(RealmRequest request, Asked asked) {
    return refreshTokens
        .read(request.realm().name(), asked.token())
        .flatMap(token -> current(request, token.authorization(), token.hash()))
        .filter(authorization -> authorization.clientId().equals(asked.client().id()))
        .map(
            authorization ->
                new JsonText()
                    .flag("active", true)
                    .text("iss", request.entityId())
                    .text("client_id", authorization.clientId())
                    .text("scope", AccessTokenClaims.scope(authorization.grant().scopes()))
                    .number("iat", authorization.createdAt().getEpochSecond())
                    .number("exp", authorization.expiresAt().getEpochSecond())
                    .toBytes());
  }

  private Optional<Authorization> current(RealmRequest request, SessionId id, String hash) {
    return authorizations
        .find(request, id)
        .filter(authorization -> authorization.tokens().refresh().filter(kept -> kept.current().equals(hash)).isPresent());
  }
}
