package dev.gatehouse.common.key;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.Optional;

/** Algorithms of signing keys. Weaker ones cannot be written down. */
public enum KeyAlgorithm {
  RSA_2048,
  RSA_3072,
  P_256;

  /** The strongest that the key reaches (RSA of 3072 bits and more is {@link #RSA_3072}); empty where it reaches none. */
  public static Optional<KeyAlgorithm> of(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa when rsa.getModulus().bitLength() >= 3072 -> Optional.of(RSA_3072);
      case RSAPublicKey rsa when rsa.getModulus().bitLength() >= 2048 -> Optional.of(RSA_2048);
      case ECPublicKey ec when isP256(ec.getParams()) -> Optional.of(P_256);
      case PublicKey other -> Optional.empty();
    };
  }

  /** By what defines the curve: its name is a matter of the provider that made the key. */
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
