package dev.gatehouse.gateway.fill;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;

/** The media type of an HTML response, with its charset if declared. */
public record HtmlType(Optional<Charset> charset) {

  /** Parses a Content-Type field; empty if it is not HTML. */
  public static Optional<HtmlType> of(String contentType) {
    String[] parts = contentType.split(";", -1);
    String type = parts[0].strip().toLowerCase(Locale.ROOT);
    if (!type.equals("text/html") && !type.equals("application/xhtml+xml")) {
      return Optional.empty();
    }
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.regionMatches(true, 0, "charset=", 0, 8)) {
        return Optional.of(new HtmlType(charset(part.substring(8).replace("\"", "").strip())));
      }
    }
    return Optional.of(new HtmlType(Optional.empty()));
  }

  private static Optional<Charset> charset(String name) {
    boolean known = name.matches("[A-Za-z0-9][A-Za-z0-9.:_+-]*") && Charset.isSupported(name);
    return known ? Optional.of(Charset.forName(name)) : Optional.empty();
  }
}
