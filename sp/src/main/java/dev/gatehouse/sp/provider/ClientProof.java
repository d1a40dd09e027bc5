package dev.gatehouse.sp.provider;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.session.SessionToken;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
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
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", algorithm(key));
    header.put("kid", key.id());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", clientId);
    claims.put("sub", clientId);
    claims.put("aud", issuer);
    claims.put("jti", SessionToken.create(random).value());
    claims.put("iat", now);
    claims.put("exp", now + LIFE.toSeconds());
    String signed = encode(StrictJson.write(header)) + "." + encode(StrictJson.write(claims));
    return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature(key, signed));
  }

  /** The JWS name of the key's signature algorithm (RFC 7518, section 3.1). */
  static String algorithm(SigningKey key) {
    return key.privateKey().getAlgorithm().equals("RSA") ? "RS256" : "ES256";
  }

  private static byte[] signature(SigningKey key, String signed) {
    try {
      String name = algorithm(key).equals("RS256") ? "SHA256withRSA" : "SHA256withECDSAinP1363Format";
      Signature signature = Signature.getInstance(name);
      signature.initSign(key.privateKey());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the sp's signing key cannot sign", e);
    }
  }

  private static String encode(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
