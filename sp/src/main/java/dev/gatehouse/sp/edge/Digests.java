package dev.gatehouse.sp.edge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * SHA-256 of a purpose and values, base64url. Identifies a secret without revealing it; digests of different purposes
 * differ.
 */
public final class Digests {

  private Digests() {}

  public static String of(String purpose, String... values) {
    String text = purpose + "\n" + String.join("\n", values);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(text));
  }

  /** Compares in constant time. */
  public static boolean equal(String a, String b) {
    return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
