package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.VerificationKey;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/oidc/jwks} at the home origin: the keys with which we authenticate to providers as their
 * client (RFC 7517).
 */
public final class OwnKeysEndpoint {

  public static final String PATH = ServiceProvider.PREFIX + "oidc/jwks";

  private static final int P256_BYTES = 32;

  private final KeyRings keyRings;
  private final Refusals refusals;

  public OwnKeysEndpoint(KeyRings keyRings, Refusals refusals) {
    this.keyRings = keyRings;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.isGet()) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    return reply(keyRings.of(realm.realm()).published(KeyUse.SP_SIGNING));
  }

  /** The keys as a JWK Set that may be cached for five minutes. */
  static EdgeReply reply(List<VerificationKey> published) {
    List<Map<String, Object>> keys = published.stream().flatMap(key -> jwk(key).stream()).toList();
    return EdgeReply.of(200, "application/jwk-set+json", StrictJson.write(Map.of("keys", keys)))
        .with("Cache-Control", "public, max-age=300");
  }

  private static Optional<Map<String, Object>> jwk(VerificationKey key) {
    Map<String, Object> jwk = new LinkedHashMap<>();
    PublicKey half = key.certificate().getPublicKey();
    switch (half) {
      case RSAPublicKey rsa -> {
        jwk.put("kty", "RSA");
        jwk.put("alg", "RS256");
        jwk.put("n", unsigned(rsa.getModulus(), 0));
        jwk.put("e", unsigned(rsa.getPublicExponent(), 0));
      }
      case ECPublicKey ec -> {
        jwk.put("kty", "EC");
        jwk.put("alg", "ES256");
        jwk.put("crv", "P-256");
        jwk.put("x", unsigned(ec.getW().getAffineX(), P256_BYTES));
        jwk.put("y", unsigned(ec.getW().getAffineY(), P256_BYTES));
      }
      case PublicKey other -> {
        return Optional.empty();
      }
    }
    jwk.put("use", "sig");
    jwk.put("kid", key.id());
    return Optional.of(jwk);
  }

  /** Encodes big-endian without sign, with at least this many bytes (RFC 7518, sections 2 and 6.2.1.2). */
  private static String unsigned(BigInteger number, int least) {
    byte[] signed = number.toByteArray();
    int skip = signed[0] == 0 && signed.length > 1 ? 1 : 0;
    byte[] bytes = new byte[Math.max(least, signed.length - skip)];
    System.arraycopy(signed, skip, bytes, bytes.length - (signed.length - skip), signed.length - skip);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
