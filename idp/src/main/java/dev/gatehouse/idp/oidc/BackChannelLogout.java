package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Notifies a client with a logout token from server to server (OpenID Connect Back-Channel Logout 1.0, sections 2.4 to
 * 2.8).
 */
public final class BackChannelLogout implements LogoutDelivery {

  static final String TYPE = "logout+jwt";
  static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";

  /** The lifetime of the token: each attempt creates a new one (section 2.4: two minutes at most). */
  private static final Duration LIFE = Duration.ofMinutes(2);

  private static final Headers FORM =
      Headers.of("Content-Type", "application/x-www-form-urlencoded").and("Accept", "application/json");

  private final Realms realms;
  private final Clients clients;
  private final ClientTokens tokens;
  private final PublicHttp http;
  private final InstantSource clock;
  private final RandomGenerator random;

  public BackChannelLogout(
      Realms realms, Clients clients, ClientTokens tokens, PublicHttp http, InstantSource clock, RandomGenerator random) {
    this.realms = realms;
    this.clients = clients;
    this.tokens = tokens;
    this.http = http;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public LogoutDeliveryResult deliver(String realmName, LogoutNotice notice) {
    Optional<Realm> realm = realms.find(realmName).filter(found -> found.idp().isPresent());
    Optional<Client> client = realm.flatMap(found -> clients.find(found, notice.partner()));
    Optional<URI> endpoint = client.flatMap(found -> found.config().logout().backChannel());
    if (realm.isEmpty() || client.isEmpty() || endpoint.isEmpty()) {
      return new LogoutDeliveryResult.Impossible("the client is gone, or has no backchannel_logout_uri any more");
    }
    return switch (token(realm.get(), client.get(), notice)) {
      case Result.Refused(OAuthError error) -> new LogoutDeliveryResult.Unreachable(error.description());
      case Result.Accepted(String token) -> send(endpoint.get(), token);
    };
  }

  /** Never contains a nonce, so that it cannot be taken for an ID token (section 2.4). */
  private Result<String, OAuthError> token(Realm realm, Client client, LogoutNotice notice) {
    Instant now = clock.instant();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", realm.idp().orElseThrow().entityId(realm.name()));
    claims.put("sub", notice.nameId().value());
    claims.put("aud", client.id());
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.plus(LIFE).getEpochSecond());
    claims.put("jti", SessionToken.create(random).value());
    claims.put("events", Map.of(EVENT, Map.of()));
    claims.put("sid", notice.sessionIndexes().getFirst());
    Tokens form = client.config().tokens();
    return tokens.signed(realm, client, form.idTokenAlgorithm(), TYPE, form.idTokenEncryption(), Json.bytes(claims));
  }

  private LogoutDeliveryResult send(URI endpoint, String token) {
    byte[] body = ("logout_token=" + token).getBytes(StandardCharsets.US_ASCII);
    return switch (http.post(endpoint, FORM, body)) {
      case Answer.Failed(var cause, String problem) -> new LogoutDeliveryResult.Unreachable(problem);
      case Answer.Received received ->
          switch (received.status()) {
            // Section 2.8; some frameworks answer with an empty 204 instead of 200.
            case 200, 204 -> new LogoutDeliveryResult.Done();
            case 400 -> new LogoutDeliveryResult.Failed("it answered 400: the logout failed, or it did not accept the token");
            default -> new LogoutDeliveryResult.Unreachable("it answered " + received.status());
          };
    };
  }
}
