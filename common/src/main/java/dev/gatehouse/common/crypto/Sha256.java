package dev.gatehouse.common.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4). Texts are hashed in UTF-8. */
public final class Sha256 {

  /** For whole texts: to look an instance up takes longer than to hash a short text. */
  private static final InstancePool<MessageDigest> INSTANCES = new InstancePool<>(() -> MessageDigest.getInstance("SHA-256"));

  private Sha256() {}

  /** Returns a new instance, for one thread. */
  public static MessageDigest instance() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static byte[] of(byte[] bytes) {
    try {
      return INSTANCES.use(digest -> digest.digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns 64 hexadecimal digits. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  /** Returns 64 hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }

  /** Returns 43 characters of base64url without padding (RFC 4648, section 5). */
  public static String base64Url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(of(bytes));
  }

  /** Returns 43 characters of base64url without padding (RFC 4648, section 5). */
  public static String base64Url(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(of(text));
  }
}
