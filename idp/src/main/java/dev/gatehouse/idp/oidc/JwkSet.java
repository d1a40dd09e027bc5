package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.key.VerificationKey;
import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes public keys as a JWK Set (RFC 7517, section 5; RFC 7518, section 6; RFC 8037, section 2). */
final class JwkSet {

  private static final int COORDINATE_BYTES = 32;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private JwkSet() {}

  static String of(List<VerificationKey> keys) {
    return of(keys, List.of());
  }

  /** @param encryption RSA keys for encryption by others */
  static String of(List<VerificationKey> signing, List<VerificationKey> encryption) {
    return Stream.concat(signing.stream().map(JwkSet::jwk), encryption.stream().map(JwkSet::encryption))
        .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
  }

  /** The encryption key of RFC 7518, section 4.3. */
  private static String encryption(VerificationKey key) {
    String common = "\"use\":\"enc\",\"alg\":\"RSA-OAEP-256\",\"kid\":\"" + key.id() + "\"";
    return rsa((RSAPublicKey) key.certificate().getPublicKey(), common);
  }

  private static String jwk(VerificationKey key) {
    String common = "\"use\":\"sig\",\"kid\":\"" + key.id() + "\"";
    return switch (key.algorithm()) {
      // Without alg, because the key is used for both RS256 and PS256.
      case RSA_2048, RSA_3072 -> rsa((RSAPublicKey) key.certificate().getPublicKey(), common);
      case P_256 -> p256((ECPublicKey) key.certificate().getPublicKey(), common);
      case ED_25519 -> ed25519(key.certificate().getPublicKey().getEncoded(), common);
    };
  }

  private static String rsa(RSAPublicKey key, String common) {
    String n = unsigned(key.getModulus());
    String e = unsigned(key.getPublicExponent());
    return "{\"kty\":\"RSA\"," + common + ",\"n\":\"" + n + "\",\"e\":\"" + e + "\"}";
  }

  private static String p256(ECPublicKey key, String common) {
    String x = coordinate(key.getW().getAffineX());
    String y = coordinate(key.getW().getAffineY());
    return "{\"kty\":\"EC\"," + common + ",\"alg\":\"ES256\",\"crv\":\"P-256\",\"x\":\"" + x + "\",\"y\":\"" + y + "\"}";
  }

  /** @param encoded SubjectPublicKeyInfo, which ends with the key itself (RFC 8410, section 4) */
  private static String ed25519(byte[] encoded, String common) {
    byte[] key = Arrays.copyOfRange(encoded, encoded.length - COORDINATE_BYTES, encoded.length);
    String x = BASE64.encodeToString(key);
    return "{\"kty\":\"OKP\"," + common + ",\"alg\":\"EdDSA\",\"crv\":\"Ed25519\",\"x\":\"" + x + "\"}";
  }

  /** Writes the shortest form (RFC 7518, section 2, Base64urlUInt). */
  private static String unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return BASE64.encodeToString(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  /** Writes the full length (RFC 7518, section 6.2.1.2). */
  private static String coordinate(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] whole = new byte[COORDINATE_BYTES];
    int from = Math.max(0, bytes.length - COORDINATE_BYTES);
    int length = bytes.length - from;
    System.arraycopy(bytes, from, whole, COORDINATE_BYTES - length, length);
    return BASE64.encodeToString(whole);
  }
}
