package dev.gatehouse.gateway.cache;

import java.util.List;
import java.util.Locale;

/**
 * The directives of Cache-Control fields that the cache evaluates (RFC 9111, section 5.2; RFC 5861). If a directive
 * occurs twice, the stricter one applies; an unreadable time is 0; unparseable fields are {@code no-store}.
 *
 * @param maxAge in seconds, -1 if absent; likewise the other times
 */
public record CacheControl(
    long maxAge,
    long sharedMaxAge,
    long staleWhileRevalidate,
    long staleIfError,
    boolean noStore,
    boolean noCache,
    boolean isPrivate,
    boolean isPublic,
    boolean mustRevalidate,
    boolean proxyRevalidate,
    boolean noTransform,
    boolean onlyIfCached) {

  /** The longest time; longer ones are reduced to it (RFC 9111, section 1.2.2). */
  static final long FOREVER = Integer.MAX_VALUE;

  private static final CacheControl NOTHING =
      new CacheControl(-1, -1, -1, -1, false, false, false, false, false, false, false, false);

  /** Parses all fields together. */
  public static CacheControl of(List<String> values) {
    return values.isEmpty() ? NOTHING : new Reader(String.join(",", values)).read();
  }

  /** Whether the app permits sharing responses to authenticated requests (RFC 9111, section 3.5). */
  boolean allowsSharing() {
    return (isPublic || sharedMaxAge >= 0) && !isPrivate && !noStore;
  }

  private static final class Reader {
    private final String text;
    private int at;
    private long maxAge = -1;
    private long sharedMaxAge = -1;
    private long whileRevalidate = -1;
    private long ifError = -1;
    private boolean noStore;
    private boolean noCache;
    private boolean isPrivate;
    private boolean isPublic;
    private boolean mustRevalidate;
    private boolean proxyRevalidate;
    private boolean noTransform;
    private boolean onlyIfCached;

    Reader(String text) {
      this.text = text;
    }

    CacheControl read() {
      while (at < text.length()) {
        String name = until("=,").strip().toLowerCase(Locale.ROOT);
        String value = "";
        if (at < text.length() && text.charAt(at) == '=') {
          at++;
          value = value();
        }
        at++;
        directive(name, value);
      }
      return new CacheControl(
          maxAge, sharedMaxAge, whileRevalidate, ifError, noStore, noCache, isPrivate, isPublic, mustRevalidate,
          proxyRevalidate, noTransform, onlyIfCached);
    }

    private void directive(String name, String value) {
      switch (name) {
        case "max-age" -> maxAge = stricter(maxAge, value);
        case "s-maxage" -> sharedMaxAge = stricter(sharedMaxAge, value);
        case "stale-while-revalidate" -> whileRevalidate = stricter(whileRevalidate, value);
        case "stale-if-error" -> ifError = stricter(ifError, value);
        case "no-store" -> noStore = true;
        case "no-cache" -> noCache = true;
        case "private" -> isPrivate = true;
        case "public" -> isPublic = true;
        case "must-revalidate" -> mustRevalidate = true;
        case "proxy-revalidate" -> proxyRevalidate = true;
        case "no-transform" -> noTransform = true;
        case "only-if-cached" -> onlyIfCached = true;
        case String unknown -> noStore |= unknown.indexOf('"') >= 0;
      }
    }

    private String until(String stops) {
      int start = at;
      while (at < text.length() && stops.indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return text.substring(start, at);
    }

    private String value() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
        at++;
      }
      if (at == text.length() || text.charAt(at) != '"') {
        return until(",").strip();
      }
      StringBuilder value = new StringBuilder();
      for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        value.append(text.charAt(at));
      }
      // An unterminated quoted string may hide other directives, and text after a quoted string belongs to no
      // directive.
      boolean closed = at < text.length();
      at++;
      noStore |= !closed || !until(",").isBlank();
      return value.toString();
    }

    private static long stricter(long known, String value) {
      long seconds = seconds(value);
      return known < 0 ? seconds : Math.min(known, seconds);
    }

    private static long seconds(String value) {
      if (value.isEmpty() || value.chars().anyMatch(c -> c < '0' || c > '9')) {
        return 0;
      }
      return value.length() > 10 ? FOREVER : Math.min(FOREVER, Long.parseLong(value));
    }
  }
}
