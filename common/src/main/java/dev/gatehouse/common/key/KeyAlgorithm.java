package dev.gatehouse.common.key;

/** Algorithms of signing keys. Weaker ones cannot be written down. */
public enum KeyAlgorithm {
  RSA_2048,
  RSA_3072,
  P_256
}
