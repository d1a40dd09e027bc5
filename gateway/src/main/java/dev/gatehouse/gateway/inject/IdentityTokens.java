package dev.gatehouse.gateway.inject;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEObjectType;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.jose.SignedJwts;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.Identity;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.filter.PerRequestIdentity;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Completes the header edits that need the client's address or a token. A token is signed on a virtual thread and
 * reused for a minute, or for half of its lifetime if that is shorter, for requests of the same session under the same
 * rule; the event loop only looks it up. A session that changes is a new object, and gets a new token.
 */
public final class IdentityTokens {

  private static final Duration REUSE = Duration.ofSeconds(60);
  private static final int MAX = 100_000;

  /** Compared by identity, because every change of the configuration or the session creates new objects. */
  private static final class Key {
    private final IdentityFilter filter;
    private final Object source;
    private final Optional<InetAddress> client;

    Key(PerRequestIdentity late, InetAddress client) {
      this.filter = late.filter();
      this.source = late.identity().source();
      this.client = late.needsClient() ? Optional.of(client) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.filter == filter && key.source == source && key.client.equals(client);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * System.identityHashCode(filter) + System.identityHashCode(source)) + client.hashCode();
    }
  }

  private record Completed(HeaderEdits edits, Instant until) {}

  private final KeyRings keys;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Cache<Key, Completed> completed =
      Caffeine.newBuilder().maximumSize(MAX).expireAfterWrite(REUSE).executor(Runnable::run).build();

  /** @param random a SecureRandom outside tests */
  public IdentityTokens(KeyRings keys, InstantSource time, RandomGenerator random) {
    this.keys = keys;
    this.time = time;
    this.random = random;
  }

  /** The complete edits, if nothing must be signed for them; never blocks. */
  public Optional<HeaderEdits> peek(PerRequestIdentity late, InetAddress client) {
    if (late.jwt().isEmpty()) {
      return Optional.of(late.complete(client, Optional.empty()));
    }
    Completed known = completed.getIfPresent(new Key(late, client));
    return known != null && time.instant().isBefore(known.until()) ? Optional.of(known.edits()) : Optional.empty();
  }

  /** The complete edits; blocks. */
  public HeaderEdits make(Realm realm, PerRequestIdentity late, InetAddress client) {
    Optional<HeaderEdits> known = peek(late, client);
    if (known.isPresent()) {
      return known.get();
    }
    Jwt jwt = late.jwt().orElseThrow();
    Instant now = time.instant();
    HeaderEdits edits = late.complete(client, Optional.of(sign(realm, jwt, late, client, now)));
    Duration half = jwt.life().dividedBy(2);
    completed.put(new Key(late, client), new Completed(edits, now.plus(half.compareTo(REUSE) < 0 ? half : REUSE)));
    return edits;
  }

  private String sign(Realm realm, Jwt jwt, PerRequestIdentity late, InetAddress client, Instant now) {
    SigningKey key = keys.of(realm).current(use(jwt.algorithm()));
    Identity identity = late.identity();
    Instant end = now.plus(jwt.life());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", realm.sp().map(SpConfig::publicUrl).orElseThrow().toString());
    claims.put("sub", identity.user());
    claims.put("aud", jwt.audience().size() == 1 ? jwt.audience().getFirst() : jwt.audience());
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", (identity.end().isBefore(end) ? identity.end() : end).getEpochSecond());
    claims.put("jti", SessionToken.create(random).value());
    claims.putAll(late.claims(client));
    return SignedJwts.sign(key, JOSEObjectType.JWT, claims);
  }

  /** The key use for an algorithm. */
  static KeyUse use(Algorithm algorithm) {
    return switch (algorithm) {
      case RS256 -> KeyUse.SP_TOKENS_RSA;
      case ES256 -> KeyUse.SP_TOKENS_P256;
    };
  }
}
