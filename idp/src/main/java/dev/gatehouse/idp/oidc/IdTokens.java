package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.jose.TokenHash;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Issues ID tokens (OpenID Connect Core 2), signed and, if the client wants it, encrypted. A client that receives one
 * becomes a participant of the person's session, and is notified of its end.
 */
public final class IdTokens {

  /**
   * The header's {@code typ}; access tokens and logout tokens have other types, so that none is taken for another (RFC
   * 8725, 3.11).
   */
  public static final String TYPE = "JWT";

  private final ClientTokens tokens;
  private final Subjects subjects;
  private final SessionClients clients;
  private final InstantSource clock;

  public IdTokens(ClientTokens tokens, Subjects subjects, SessionClients clients, InstantSource clock) {
    this.tokens = tokens;
    this.subjects = subjects;
    this.clients = clients;
    this.clock = clock;
  }

  /**
   * Further values for the token.
   *
   * @param accessToken for {@code at_hash}
   * @param code for {@code c_hash}
   * @param nonce only if this token answers an authorization request
   * @param alone whether no access token accompanies it, so that it contains the scopes' claims (5.4)
   */
  public record About(Optional<String> accessToken, Optional<String> code, Optional<String> nonce, boolean alone) {}

  /** Issues an ID token. Refused if the client's encryption key is not available. */
  public Result<String, OAuthError> issue(RealmRequest request, Client client, Authorization authorization, About about) {
    JwsName algorithm = client.config().tokens().idTokenAlgorithm();
    byte[] claims = Json.bytes(claims(request, client, authorization, about, algorithm));
    return tokens.signed(
        request.realm(), client, algorithm, TYPE, client.config().tokens().idTokenEncryption(), claims);
  }

  private Map<String, Object> claims(
      RealmRequest request, Client client, Authorization authorization, About about, JwsName algorithm) {
    Instant now = clock.instant();
    String subject = subjects.subject(request.realm(), client, authorization.person());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", request.entityId());
    claims.put("sub", subject);
    claims.put("aud", client.id());
    claims.put("exp", now.plus(life(request, client)).getEpochSecond());
    claims.put("iat", now.getEpochSecond());
    claims.put("auth_time", authorization.authn().time().getEpochSecond());
    claims.put("acr", authorization.authn().acr());
    if (!authorization.authn().amr().isEmpty()) {
      claims.put("amr", authorization.authn().amr());
    }
    about.nonce().ifPresent(nonce -> claims.put("nonce", nonce));
    about.accessToken().ifPresent(token -> claims.put("at_hash", TokenHash.of(algorithm, token)));
    about.code().ifPresent(code -> claims.put("c_hash", TokenHash.of(algorithm, code)));
    authorization
        .session()
        .flatMap(session -> clients.join(request.realm().name(), session, client.id(), subject))
        .ifPresent(sid -> claims.put("sid", sid));
    // The token's own claims take precedence over claims of the same names that a client requests.
    personal(request.idp().oauth(), client, authorization, about.alone()).forEach(claims::putIfAbsent);
    return claims;
  }

  private static Map<String, Object> personal(OAuthConfig config, Client client, Authorization authorization, boolean alone) {
    ClaimsRequest request = ClaimsRequest.granted(config, client, authorization);
    ClaimPlace place = alone ? ClaimPlace.ID_TOKEN_ALONE : ClaimPlace.ID_TOKEN;
    Set<String> names = place.names(config, authorization.grant().scopes(), request);
    return PersonClaims.of(config, authorization.snapshot().details(), names);
  }

  /** The same lifetime as an access token: the ID token is for the client at the moment of the login. */
  private static Duration life(RealmRequest request, Client client) {
    return client.config().tokens().accessTokenLife().orElse(request.idp().oauth().accessTokenLife());
  }
}
