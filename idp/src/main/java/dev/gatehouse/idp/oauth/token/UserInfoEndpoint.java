package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.client.Cors;
import dev.gatehouse.idp.oauth.token.PresentedTokens.Shown;
import dev.gatehouse.idp.oidc.ClaimPlace;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import dev.gatehouse.idp.oidc.ClientTokens;
import dev.gatehouse.idp.oidc.IdTokens;
import dev.gatehouse.idp.oidc.Json;
import dev.gatehouse.idp.oidc.PersonClaims;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Returns the claims to which the person consented to the holder of an access token for them (OpenID Connect Core 5.3):
 * by the granted scopes (5.4) and the claims requested by name (5.5), with the directory's current values.
 */
final class UserInfoEndpoint implements Endpoint {

  static final String PATH = "oauth/userinfo";

  private final PresentedTokens tokens;
  private final Authorizations authorizations;
  private final Clients clients;
  private final ClientTokens sealing;
  private final OAuthReplies replies;

  UserInfoEndpoint(
      PresentedTokens tokens,
      Authorizations authorizations,
      Clients clients,
      ClientTokens sealing,
      OAuthReplies replies) {
    this.tokens = tokens;
    this.authorizations = authorizations;
    this.clients = clients;
    this.sealing = sealing;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!isShown(request)) {
      // RFC 6750, section 3.1: a request without a token gets only the challenge.
      return new EdgeReply(401, BearerChallenge.bare(request), new byte[0]);
    }
    Result<Shown, OAuthError> shown = tokens.find(request, PATH);
    Optional<Client> client =
        shown instanceof Result.Accepted(Shown known)
            ? clients.find(request.realm(), known.token().clientId())
            : Optional.empty();
    EdgeReply reply =
        switch (shown.then(known -> answer(request, known, client))) {
          case Result.Accepted(EdgeReply answer) -> answer;
          case Result.Refused(OAuthError error) -> refused(request, client, error);
        };
    return client.map(known -> Cors.readable(request, known, reply)).orElse(reply);
  }

  private static boolean isShown(RealmRequest request) {
    return request.http().headers().first("Authorization").isPresent()
        || request.http().formParameters().one("access_token").isPresent();
  }

  private EdgeReply refused(RealmRequest request, Optional<Client> client, OAuthError error) {
    EdgeReply reply = replies.refused(request, client.map(Client::id).orElse("-"), error);
    return new EdgeReply(
        BearerChallenge.status(error), BearerChallenge.of(request, reply.headers(), error), reply.body());
  }

  private Result<EdgeReply, OAuthError> answer(RealmRequest request, Shown shown, Optional<Client> client) {
    AccessToken token = shown.token();
    if (client.isEmpty() || shown.authorization().isEmpty() || token.person().isEmpty()) {
      return OAuthError.refused(Code.INSUFFICIENT_SCOPE, "The token is the client's own and belongs to no person");
    }
    if (!token.scopes().contains("openid")) {
      return OAuthError.refused(Code.INSUFFICIENT_SCOPE, "The token does not have the scope openid");
    }
    if (!token.audience().contains(request.entityId())) {
      return OAuthError.refused(Code.INVALID_TOKEN, "The token is for other resources");
    }
    return authorizations
        .reread(request, shown.authorization().get())
        .map(current -> seal(request, client.get(), claims(request, client.get(), token, current)))
        .orElseGet(() -> OAuthError.refused(Code.INVALID_TOKEN, "The person is gone"));
  }

  private static Map<String, Object> claims(RealmRequest request, Client client, AccessToken token, Authorization authorization) {
    ClaimsRequest asked = ClaimsRequest.granted(request.idp().oauth(), client, authorization);
    Set<String> names = ClaimPlace.USER_INFO.names(request.idp().oauth(), token.scopes(), asked);
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("sub", token.subject());
    PersonClaims.of(request.idp().oauth(), authorization.snapshot().details(), names).forEach(claims::putIfAbsent);
    return claims;
  }

  /** Returns JSON, or the form that the client registered (5.3.2): signed, encrypted, or both. */
  private Result<EdgeReply, OAuthError> seal(RealmRequest request, Client client, Map<String, Object> claims) {
    Tokens form = client.config().tokens();
    Optional<Encryption> encryption = form.userInfoEncryption();
    if (form.userInfoAlgorithm().isEmpty()) {
      return encryption
          .map(wanted -> sealing.encrypted(client, wanted, Json.bytes(claims)).then(UserInfoEndpoint::jwt))
          .orElseGet(() -> Result.accepted(OAuthReplies.json(200, Json.bytes(claims))));
    }
    JwsName algorithm = form.userInfoAlgorithm().get();
    Map<String, Object> signed = new LinkedHashMap<>();
    signed.put("iss", request.entityId());
    signed.put("aud", client.id());
    // No attribute of a person takes the place of the issuer or the audience.
    claims.forEach(signed::putIfAbsent);
    return sealing
        .signed(request.realm(), client, algorithm, IdTokens.TYPE, encryption, Json.bytes(signed))
        .then(UserInfoEndpoint::jwt);
  }

  private static Result<EdgeReply, OAuthError> jwt(String jwt) {
    return Result.accepted(
        EdgeReply.of(200, "application/jwt", jwt).with("Cache-Control", "no-store").with("Pragma", "no-cache"));
  }
}
