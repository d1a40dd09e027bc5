package dev.gatehouse.gateway.route;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A path: refused as ambiguous, or in a form that stays the same and has no dot segments, in whatever way it is read. */
public final class RequestPathFuzz {

  private RequestPathFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != '/') {
      return;
    }
    Optional<RequestPath> path = RequestPath.of(bytes, 0, bytes.length);
    if (path.isEmpty()) {
      return;
    }
    String value = path.get().value();
    byte[] again = value.getBytes(StandardCharsets.ISO_8859_1);
    Optional<RequestPath> reread = RequestPath.of(again, 0, again.length);
    if (!reread.map(RequestPath::value).equals(Optional.of(value))
        || !reread.map(RequestPath::withoutParameters).equals(path.map(RequestPath::withoutParameters))) {
      throw new IllegalStateException("changes when it is read again: " + value);
    }
    for (String segment : (value + " ").split("/", -1)) {
      String plain = segment.split("(;|%3B)", -1)[0];
      if (plain.equals(".") || plain.equals("..")) {
        throw new IllegalStateException("has a dot segment: " + value);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "/a/./b/../c;d=e/%C3%A4/%7Efoo//x/".getBytes(StandardCharsets.US_ASCII),
        "/..;/%2e%2e/%252e/%5c".getBytes(StandardCharsets.US_ASCII));
  }
}
