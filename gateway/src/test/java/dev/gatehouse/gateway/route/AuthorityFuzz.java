package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A Host field: refused, or an origin that reads as itself. */
public final class AuthorityFuzz {

  private AuthorityFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    Optional<Origin> origin = Authority.origin("https", new String(bytes, StandardCharsets.ISO_8859_1));
    if (origin.isPresent()) {
      String text = origin.get().host() + ":" + origin.get().port();
      if (!Authority.origin("https", text).equals(origin)) {
        throw new IllegalStateException("changes when it is read again: " + text);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "app.localhost:8443".getBytes(StandardCharsets.US_ASCII), "[2001:db8::1]:80".getBytes(StandardCharsets.US_ASCII));
  }
}
