package dev.gatehouse.common.jose;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import dev.gatehouse.common.crypto.VerificationKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes public keys of ours as a JWK Set (RFC 7517, section 5; RFC 7518, section 6; RFC 8037, section 2). */
public final class JwkSets {

  private static final int ED25519_BYTES = 32;

  private JwkSets() {}

  /**
   * Writes keys that sign, and keys to which others encrypt with RSA-OAEP-256. RSA keys that sign have no {@code alg}, because they
   * sign with RS256 and PS256.
   */
  public static String of(List<VerificationKey> signing, List<VerificationKey> encryption) {
    return write(
        Stream.concat(
            signing.stream().map(key -> jwk(key, KeyUse.SIGNATURE, null)),
            encryption.stream().map(key -> jwk(key, KeyUse.ENCRYPTION, JWEAlgorithm.RSA_OAEP_256))));
  }

  /** Writes keys that sign, those of RSA with RS256 only. */
  public static String ofRs256(List<VerificationKey> signing) {
    return write(signing.stream().map(key -> jwk(key, KeyUse.SIGNATURE, JWSAlgorithm.RS256)));
  }

  private static String write(Stream<JWK> keys) {
    return new JWKSet(keys.toList()).toString(true);
  }

  private static JWK jwk(VerificationKey key, KeyUse use, @Nullable Algorithm rsaAlgorithm) {
    return switch (key.certificate().getPublicKey()) {
      case RSAPublicKey rsa -> new RSAKey.Builder(rsa).keyUse(use).keyID(key.id()).algorithm(rsaAlgorithm).build();
      case ECPublicKey ec ->
          new ECKey.Builder(Curve.P_256, ec).keyUse(use).keyID(key.id()).algorithm(JWSAlgorithm.ES256).build();
      case PublicKey ed25519 ->
          new OctetKeyPair.Builder(Curve.Ed25519, x(ed25519))
              .keyUse(use)
              .keyID(key.id())
              .algorithm(JWSAlgorithm.EdDSA)
              .build();
    };
  }

  /** Returns the end of the SubjectPublicKeyInfo, which is the key itself (RFC 8410, section 4). */
  private static Base64URL x(PublicKey ed25519) {
    byte[] encoded = ed25519.getEncoded();
    return Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - ED25519_BYTES, encoded.length));
  }
}
