package dev.gatehouse.gateway.cache;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One range of bytes (RFC 9110, section 14.1.2).
 *
 * @param length 0 if the range is not satisfiable
 */
record ByteRange(int first, int length) {

  private static final Pattern SINGLE = Pattern.compile("bytes=[ \t]*(\\d{0,18})-(\\d{0,18})[ \t]*");

  /**
   * The requested range; empty if the field is ignored: for another unit, a malformed value, or several ranges, which
   * could overlap and multiply the response (RFC 9110, section 14.2, allows to send the whole instead).
   */
  static Optional<ByteRange> of(String field, int whole) {
    Matcher single = SINGLE.matcher(field.toLowerCase(Locale.ROOT));
    if (!single.matches() || single.group(1).isEmpty() && single.group(2).isEmpty()) {
      return Optional.empty();
    }
    if (single.group(1).isEmpty()) {
      int length = (int) Math.min(whole, Long.parseLong(single.group(2)));
      return Optional.of(new ByteRange(whole - length, length));
    }
    long first = Long.parseLong(single.group(1));
    long last = single.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(single.group(2));
    if (last < first) {
      return Optional.empty();
    }
    return Optional.of(
        first >= whole ? new ByteRange(0, 0) : new ByteRange((int) first, (int) (Math.min(last, whole - 1) - first + 1)));
  }

  boolean isSatisfiable() {
    return length > 0;
  }

  String contentRange(int whole) {
    return isSatisfiable() ? "bytes " + first + "-" + (first + length - 1) + "/" + whole : "bytes */" + whole;
  }
}
