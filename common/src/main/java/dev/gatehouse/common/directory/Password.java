package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.Authentication.RefusedReason;
import java.util.Arrays;
import java.util.Optional;

/** A password that was typed; never printed, and wiped after use as far as Java allows. */
public final class Password implements AutoCloseable {

  /** Longer passwords are refused before any hashing or bind. */
  public static final int MAX_BYTES = 1024;

  private final byte[] utf8;

  public Password(byte[] utf8) {
    this.utf8 = utf8.clone();
  }

  public static Password of(String text) {
    return new Password(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  public byte[] utf8() {
    return utf8;
  }

  public boolean isEmpty() {
    return utf8.length == 0;
  }

  /** Returns why no directory is asked about it; empty if one may be. */
  Optional<RefusedReason> unreadable() {
    if (isEmpty()) {
      // A bind with a DN and no password is anonymous and succeeds (RFC 4513, section 5.1.2).
      return Optional.of(RefusedReason.EMPTY_PASSWORD);
    }
    return utf8.length > MAX_BYTES ? Optional.of(RefusedReason.PASSWORD_TOO_LONG) : Optional.empty();
  }

  @Override
  public void close() {
    Arrays.fill(utf8, (byte) 0);
  }

  @Override
  public String toString() {
    return "***";
  }
}
