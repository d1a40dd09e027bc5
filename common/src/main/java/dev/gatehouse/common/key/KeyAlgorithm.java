package dev.gatehouse.common.key;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
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
      case ECPublicKey ec when ec.getParams().toString().contains("secp256r1") -> Optional.of(P_256);
      case PublicKey other -> Optional.empty();
    };
  }
}
