package dev.gatehouse.gateway.cache;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directives of Cache-Control fields that the cache evaluates (RFC 9111, section 5.2; RFC 5861). If a directive
 * occurs twice, the stricter one applies; an unreadable time is 0; unparseable fields are {@code no-store}, and so are
 * more directives than anybody sends.
 *
 * @param maxAge in seconds, -1 if absent; likewise the other times
 * @param flags the directives without a time
 */
public record CacheControl(
    long maxAge, long sharedMaxAge, long staleWhileRevalidate, long staleIfError, Set<Flag> flags) {

  /** A directive without a time. */
  public enum Flag {
    NO_STORE, NO_CACHE, PRIVATE, PUBLIC, MUST_REVALIDATE, PROXY_REVALIDATE, NO_TRANSFORM, ONLY_IF_CACHED;

    private static final Map<String, Flag> BY_NAME =
        Stream.of(values()).collect(Collectors.toUnmodifiableMap(f -> f.name().toLowerCase(Locale.ROOT).replace('_', '-'), f -> f));
  }

  /** The longest time; longer ones are reduced to it (RFC 9111, section 1.2.2). */
  static final long FOREVER = Integer.MAX_VALUE;

  /** Directives that are read: HTTP/2 compresses thousands of them to a few bytes. */
  private static final int MAX_DIRECTIVES = 64;

  private static final CacheControl NOTHING = new CacheControl(-1, -1, -1, -1, Set.of());

  /** Parses all fields together. */
  public static CacheControl of(List<String> values) {
    return values.isEmpty() ? NOTHING : new Reader(String.join(",", values)).read();
  }

  public boolean noStore() {
    return flags.contains(Flag.NO_STORE);
  }

  public boolean noCache() {
    return flags.contains(Flag.NO_CACHE);
  }

  public boolean isPrivate() {
    return flags.contains(Flag.PRIVATE);
  }

  public boolean noTransform() {
    return flags.contains(Flag.NO_TRANSFORM);
  }

  public boolean onlyIfCached() {
    return flags.contains(Flag.ONLY_IF_CACHED);
  }

  /** Returns whether a stale response must not be used (RFC 9111, sections 5.2.2.2, 5.2.2.4 and 5.2.2.8). */
  boolean alwaysRevalidates() {
    return noCache() || flags.contains(Flag.MUST_REVALIDATE) || flags.contains(Flag.PROXY_REVALIDATE);
  }

  /** Returns whether the app permits sharing responses to authenticated requests (RFC 9111, section 3.5). */
  boolean allowsSharing() {
    return (flags.contains(Flag.PUBLIC) || sharedMaxAge >= 0) && !isPrivate() && !noStore();
  }

  private static final class Reader {
    private final String text;
    private int at;
    private long maxAge = -1;
    private long sharedMaxAge = -1;
    private long whileRevalidate = -1;
    private long ifError = -1;
    private final EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);

    Reader(String text) {
      this.text = text;
    }

    CacheControl read() {
      for (int i = 0; i < MAX_DIRECTIVES && at < text.length(); i++) {
        String name = until("=,").strip().toLowerCase(Locale.ROOT);
        String value = "";
        if (at < text.length() && text.charAt(at) == '=') {
          at++;
          value = value();
        }
        at++;
        directive(name, value);
      }
      if (at < text.length()) {
        // What is not read could be stricter.
        flags.add(Flag.NO_STORE);
      }
      return new CacheControl(maxAge, sharedMaxAge, whileRevalidate, ifError, Collections.unmodifiableSet(flags));
    }

    private void directive(String name, String value) {
      switch (name) {
        case "max-age" -> maxAge = stricter(maxAge, value);
        case "s-maxage" -> sharedMaxAge = stricter(sharedMaxAge, value);
        case "stale-while-revalidate" -> whileRevalidate = stricter(whileRevalidate, value);
        case "stale-if-error" -> ifError = stricter(ifError, value);
        case String other -> {
          Flag flag = Flag.BY_NAME.get(other);
          if (flag != null) {
            flags.add(flag);
          } else if (other.indexOf('"') >= 0) {
            flags.add(Flag.NO_STORE);
          }
        }
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
      if (!closed || !until(",").isBlank()) {
        flags.add(Flag.NO_STORE);
      }
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
