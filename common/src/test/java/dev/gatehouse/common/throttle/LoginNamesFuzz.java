package dev.gatehouse.common.throttle;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** One person has one counter: a normal form is its own normal form. */
public final class LoginNamesFuzz {

  private LoginNamesFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String normal = LoginNames.normal(new String(bytes, StandardCharsets.UTF_8));
    // NFKC may make a short name too long to be one.
    if (normal.length() <= LoginNames.LONGEST && !LoginNames.normal(normal).equals(normal)) {
      throw new IllegalStateException("two counters: " + normal);
    }
  }

  public static List<byte[]> seeds() {
    return List.of("Alice ".getBytes(StandardCharsets.UTF_8), "ﬀİ\u200dß".getBytes(StandardCharsets.UTF_8));
  }
}
