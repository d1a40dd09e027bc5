package dev.gatehouse.common.key;

/** Algorithms of signing keys. Weaker ones cannot be written down. */
public enum KeyAlgorithm {
  /** RSA, 2048 bits; configured keys have up to 3071. */
  RSA_2048,
  /** RSA, 3072 bits; configured keys have that or more. */
  RSA_3072,
  /** ECDSA on the curve P-256. */
  P_256
}
