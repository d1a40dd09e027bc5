package dev.gatehouse.common.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Identifies a session in stores, logs and the admin API: the SHA-256 of its token, base64url. The id does not give access to
 * the session.
 */
public record SessionId(String value) {

  public static SessionId of(SessionToken token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.value().getBytes(StandardCharsets.US_ASCII));
      return new SessionId(Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
