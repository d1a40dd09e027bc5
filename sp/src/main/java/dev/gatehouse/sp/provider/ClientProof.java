package dev.gatehouse.sp.provider;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.jose.SignedJwts;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Creates JWTs with which we authenticate to a provider as its client (RFC 7523, sections 2.2 and 3). */
final class ClientProof {

  static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  private static final Duration LIFE = Duration.ofSeconds(60);

  private final InstantSource time;
  private final RandomGenerator random;

  ClientProof(InstantSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /**
   * The audience is only the issuer: an attacker could obtain a JWT for a single endpoint's URL and use it elsewhere.
   */
  String make(SigningKey key, String clientId, String issuer) {
    long now = time.instant().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", clientId);
    claims.put("sub", clientId);
    claims.put("aud", issuer);
    claims.put("jti", SessionToken.create(random).value());
    claims.put("iat", now);
    claims.put("exp", now + LIFE.toSeconds());
    return SignedJwts.sign(key, null, claims);
  }
}
