package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * JWTs with which clients authenticate: {@code client_secret_jwt} and {@code private_key_jwt} (OpenID Connect Core 9;
 * RFC 7523, section 3). The client issues them about itself, only for us, valid for at most five minutes, and usable
 * once.
 */
public final class ClientAssertions {

  /** {@code client_assertion_type} (RFC 7523, section 2.2). */
  public static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  /** The accepted difference between two unsynchronized clocks. */
  static final Duration SKEW = Duration.ofSeconds(60);

  private static final Duration MAX_LIFE = Duration.ofMinutes(5);
  private static final int MAX_ID_CHARACTERS = 256;

  /** JWTs of other kinds, which a client might sign with the same key, are not accepted (RFC 8725, section 3.11). */
  private static final Set<String> TYPES = Set.of("jwt", "client-authentication+jwt");

  private final Clients clients;
  private final ClientSignatures signatures;
  private final ReplayCache replay;
  private final InstantSource clock;

  public ClientAssertions(
      Clients clients, ClientSignatures signatures, ReplayCache replay, InstantSource clock) {
    this.clients = clients;
    this.signatures = signatures;
    this.replay = replay;
    this.clock = clock;
  }

  /** The authenticated client, and the method that it used. */
  record Proved(Client client, Method method) {}

  Result<Proved, OAuthError> check(RealmRequest request, String assertion) {
    return switch (ReceivedJwt.read(assertion, ReceivedJwt.OwnKey.REFUSED)) {
      case Result.Accepted(ReceivedJwt jwt) -> check(request, jwt);
      case Result.Refused(String problem) -> refused(problem);
    };
  }

  private Result<Proved, OAuthError> check(RealmRequest request, ReceivedJwt jwt) {
    Optional<Client> client =
        jwt.claims().subject().filter(sub -> sub.equals(jwt.claims().issuer().orElse("")))
            .flatMap(id -> clients.find(request.realm(), id));
    if (client.isEmpty()) {
      return refused("iss and sub are not both the ID of a client that we know");
    }
    if (jwt.type().filter(type -> !TYPES.contains(type)).isPresent()) {
      return refused("it is a JWT of another type");
    }
    Method method = jwt.algorithm() == JwsName.HS256 ? Method.SECRET_JWT : Method.PRIVATE_KEY_JWT;
    Optional<JwsName> only = client.get().config().requests().authenticationAlgorithm();
    if (only.filter(algorithm -> algorithm != jwt.algorithm()).isPresent()) {
      return refused("its algorithm is not the one that the client is registered for");
    }
    boolean strict = client.get().config().followsFapi2();
    if (strict && jwt.algorithm() == JwsName.RS256) {
      return refused("its algorithm is not one of the FAPI 2.0 Security Profile's");
    }
    if (!client.get().config().authentication().methods().contains(method)) {
      return refused("the client is not registered for " + method.value());
    }
    Optional<String> signature = signatures.problem(request.realm(), client.get(), jwt);
    if (signature.isPresent()) {
      return refused(signature.get());
    }
    return claimsProblem(request, jwt.claims(), strict)
        .<Result<Proved, OAuthError>>map(ClientAssertions::refused)
        .orElseGet(() -> once(request, client.get(), jwt.claims(), method));
  }

  private Optional<String> claimsProblem(RealmRequest request, JwtClaims claims, boolean strict) {
    Instant now = clock.instant();
    if (strict && !claims.text("aud").equals(Optional.of(request.entityId()))) {
      // FAPI 2.0 Security Profile 5.3.2.1, item 8: the audience must be one string. An assertion that names an endpoint
      // could be meant for another server.
      return Optional.of("its audience is not this issuer as one string");
    }
    if (!isForUs(request, claims.audience())) {
      return Optional.of("its audience is not this issuer alone");
    }
    Optional<Instant> end = claims.expiresAt();
    if (end.isEmpty() || !now.isBefore(end.get().plus(SKEW))) {
      return Optional.of("it has expired, or has no exp");
    }
    if (end.get().isAfter(now.plus(MAX_LIFE).plus(SKEW))) {
      return Optional.of("it is valid for more than five minutes");
    }
    if (isLater(claims.notBefore(), now) || isLater(claims.issuedAt(), now)) {
      return Optional.of("it is not valid yet");
    }
    return claims.id().filter(id -> !id.isEmpty() && id.length() <= MAX_ID_CHARACTERS).isEmpty()
        ? Optional.of("it has no jti of 1 to 256 characters")
        : Optional.empty();
  }

  private static boolean isLater(Optional<Instant> time, Instant now) {
    return time.filter(t -> t.isAfter(now.plus(SKEW))).isPresent();
  }

  /**
   * Accepts the issuer, the token endpoint, or the requested endpoint (RFC 7523, section 3; RFC 9126, section 2), and
   * no other audience: otherwise another server that the client talks to could use the assertion here.
   */
  private static boolean isForUs(RealmRequest request, List<String> audience) {
    Set<String> ours =
        Set.copyOf(List.of(request.entityId(), request.location("oauth/token"), asked(request), atListener(request)));
    return !audience.isEmpty() && ours.containsAll(audience);
  }

  private static String asked(RealmRequest request) {
    return request.idp().publicUrl() + request.http().path();
  }

  /** The requested address at another origin of ours: at the listener for client certificates. */
  private static String atListener(RealmRequest request) {
    return request.origin() + request.http().path();
  }

  private Result<Proved, OAuthError> once(RealmRequest request, Client client, JwtClaims claims, Method method) {
    Instant end = claims.expiresAt().orElseThrow().plus(SKEW);
    ReplayKey key =
        new ReplayKey(request.realm().name(), "client-assertion " + client.id(), claims.id().orElseThrow());
    return replay.firstSeen(key, end)
        ? Result.accepted(new Proved(client, method))
        : refused("it was used before");
  }

  private static <T> Result<T, OAuthError> refused(String why) {
    return OAuthError.refused(Code.INVALID_CLIENT, "client_assertion: " + why);
  }
}
