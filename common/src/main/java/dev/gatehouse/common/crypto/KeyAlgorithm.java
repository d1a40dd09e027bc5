package dev.gatehouse.common.crypto;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;
import java.util.Optional;

/** Algorithms of signing keys. Weaker algorithms cannot be configured. */
public enum KeyAlgorithm {
  RSA_2048,
  RSA_3072,
  P_256,
  /** For tokens only: XML signatures and TLS support it, our partners do not. */
  ED_25519;

  /** The prefix of every SubjectPublicKeyInfo of an Ed25519 key (RFC 8410, section 4); the key's 32 bytes follow. */
  private static final byte[] ED_25519_PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

  private static final int ED_25519_BYTES = 32;

  /** Returns the strongest algorithm that the key satisfies (RSA of 3072 bits and more is {@link #RSA_3072}), if any. */
  public static Optional<KeyAlgorithm> of(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa when rsa.getModulus().bitLength() >= 3072 -> Optional.of(RSA_3072);
      case RSAPublicKey rsa when rsa.getModulus().bitLength() >= 2048 -> Optional.of(RSA_2048);
      case ECPublicKey ec when isP256(ec.getParams()) -> Optional.of(P_256);
      case PublicKey other -> isEd25519(other) ? Optional.of(ED_25519) : Optional.empty();
    };
  }

  /** Compares the encoding: the key's class depends on the provider that created it. */
  private static boolean isEd25519(PublicKey key) {
    byte[] encoded = key.getEncoded();
    int prefix = ED_25519_PREFIX.length;
    return encoded != null
        && encoded.length == prefix + ED_25519_BYTES
        && Arrays.equals(encoded, 0, prefix, ED_25519_PREFIX, 0, prefix);
  }

  /** Compares the curve's parameters: its name depends on the provider that created the key. */
  private static boolean isP256(ECParameterSpec curve) {
    try {
      AlgorithmParameters named = AlgorithmParameters.getInstance("EC");
      named.init(new ECGenParameterSpec("secp256r1"));
      ECParameterSpec p256 = named.getParameterSpec(ECParameterSpec.class);
      return p256.getCurve().equals(curve.getCurve())
          && p256.getGenerator().equals(curve.getGenerator())
          && p256.getOrder().equals(curve.getOrder())
          && p256.getCofactor() == curve.getCofactor();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform knows P-256", e);
    }
  }
}
