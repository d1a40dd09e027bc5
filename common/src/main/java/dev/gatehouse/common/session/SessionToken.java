package dev.gatehouse.common.session;

import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The secret that a browser holds: 32 random bytes, base64url, 43 characters. Stores never hold it; see {@link SessionId}. */
public record SessionToken(String value) {

  private static final int BYTES = 32;

  /** Creates a token; {@code random} must be a SecureRandom outside tests. */
  public static SessionToken create(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new SessionToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns the token in a cookie's value, if the value has the shape of a token. */
  public static Optional<SessionToken> parse(String value) {
    if (value.length() != 43) {
      return Optional.empty();
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean fits = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
      if (!fits) {
        return Optional.empty();
      }
    }
    return Optional.of(new SessionToken(value));
  }

  public SessionId id() {
    return SessionId.of(this);
  }

  @Override
  public String toString() {
    return "***";
  }
}
