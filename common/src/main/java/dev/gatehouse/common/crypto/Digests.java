package dev.gatehouse.common.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * SHA-256 of a purpose and values, base64url. Identifies a secret without revealing it; digests of different purposes
 * differ.
 */
public final class Digests {

  private Digests() {}

  public static String of(String purpose, String... values) {
    return Sha256.base64Url(purpose + "\n" + String.join("\n", values));
  }

  /** Compares in constant time. */
  public static boolean equal(String a, String b) {
    return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
