package dev.gatehouse.idp.agent.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import dev.gatehouse.common.jose.StrictJson;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How the agent proves to servers which client of the realm it is: by a certificate in the handshake (RFC 8705), or by an assertion that
 * it signs for each request (RFC 7523).
 *
 * @param key RSA, or EC on the curve P-256
 * @param chain the certificate and those that lead to its authority; empty for assertions
 * @param audience for whom assertions are: the realm's issuer
 */
public record AgentKey(String clientId, PrivateKey key, List<X509Certificate> chain, String audience) {

  private static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  private static final long LIFE_SECONDS = 60;

  /** Returns the parameters that prove who asks. */
  Map<String, String> proof(InstantSource clock, RandomGenerator random) {
    return chain.isEmpty()
        ? Map.of("client_assertion_type", TYPE, "client_assertion", assertion(clock.instant(), random))
        : Map.of("client_id", clientId);
  }

  private String assertion(Instant now, RandomGenerator random) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", clientId);
    claims.put("sub", clientId);
    claims.put("aud", audience);
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.getEpochSecond() + LIFE_SECONDS);
    claims.put("jti", HexFormat.of().formatHex(id));
    boolean isRsa = key.getAlgorithm().equals("RSA");
    JWSObject jwt =
        new JWSObject(new JWSHeader(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256), new Payload(StrictJson.write(claims)));
    try {
      JWSSigner signer = isRsa ? new RSASSASigner(key) : new ECDSASigner(key, Curve.P_256);
      jwt.sign(signer);
    } catch (JOSEException e) {
      throw new IllegalStateException("the agent's key cannot sign", e);
    }
    return jwt.serialize();
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "AgentKey[" + clientId + "]";
  }
}
