package dev.gatehouse.gateway.cache;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A Cache-Control field, whatever it is: times within bounds, and more text never makes it more permissive. */
public final class CacheControlFuzz {

  private CacheControlFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    CacheControl control = CacheControl.of(List.of(text));
    for (long time : new long[] {control.maxAge(), control.sharedMaxAge(), control.staleIfError()}) {
      if (time < -1 || time > CacheControl.FOREVER) {
        throw new IllegalStateException("a time out of bounds: " + time);
      }
    }
    CacheControl stricter = CacheControl.of(List.of(text, "private"));
    CacheControl first = CacheControl.of(List.of("no-store", text));
    if (!(stricter.isPrivate() || stricter.noStore()) || !first.noStore()) {
      throw new IllegalStateException("another field hides a directive: " + text);
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "public, max-age=60, s-maxage=\"5\"".getBytes(StandardCharsets.US_ASCII),
        "private=\"a, b\", no-cache".getBytes(StandardCharsets.US_ASCII),
        "max-age=60, x=\"no-store".getBytes(StandardCharsets.US_ASCII));
  }
}
