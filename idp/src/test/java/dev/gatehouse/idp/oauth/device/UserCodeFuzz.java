package dev.gatehouse.idp.oauth.device;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** User codes as people type them: eight letters of the alphabet, or invalid. */
public final class UserCodeFuzz {

  private UserCodeFuzz() {}

  public static void fuzzerTestOneInput(byte[] typed) {
    Optional<UserCode> code = UserCode.parse(new String(typed, StandardCharsets.UTF_8));
    code.ifPresent(
        read -> {
          if (!UserCode.parse(read.shown()).equals(code) || !read.shown().matches("[A-Z]{4}-[A-Z]{4}")) {
            throw new IllegalStateException("shown as another code");
          }
        });
  }

  public static List<byte[]> seeds() {
    return List.of(
        "WDJB-MJHT".getBytes(StandardCharsets.UTF_8),
        "wdjb mjht".getBytes(StandardCharsets.UTF_8),
        "wdjb\u2013mjht".getBytes(StandardCharsets.UTF_8));
  }
}
