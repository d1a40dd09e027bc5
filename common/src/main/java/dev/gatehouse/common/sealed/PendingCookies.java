package dev.gatehouse.common.sealed;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Stores pending requests of browsers that have not logged in. Each request is one {@linkplain SealedState sealed} cookie of its
 * browser, {@code gh_wait.FAMILY.REALM.TIME-TAG}, of at most a kilobyte; at most four for each family and realm, of which the oldest
 * is removed for a new one. Tabs therefore coexist, and a proxy in front that accepts 8 KB of fields accepts these. The server
 * stores only state that is too large for a cookie ({@link PendingOverflow}).
 *
 * <p>A mark that is written with the answer shows whether a request was answered before, because a browser can send a deleted
 * cookie again.
 */
public final class PendingCookies {

  /** Largest number of cookies of one family and realm. */
  public static final int MAX = 4;

  /** Largest length of a cookie's name and value, in bytes. */
  public static final int LARGEST_COOKIE = 1024;

  /** Largest length of all cookies together, of any family and realm, in bytes. */
  public static final int LARGEST_TOTAL = 6 * 1024;

  /** Number of cookies that are read in one request; bounds the work for a request with hundreds. */
  private static final int MAX_READ = 32;

  private static final String PREFIX = "gh_wait.";
  private static final int TIME_DIGITS = 9;
  private static final int TAG_BYTES = 6;
  private static final int HANDLE_BYTES = 16;

  /** Length of the value of a cookie that contains only a handle. */
  private static final int HELD_LENGTH = sealedLength(1 + HANDLE_BYTES);

  private static final byte HERE = 0;
  private static final byte HELD = 1;

  private final SealedState sealed;
  private final String family;
  private final PendingOverflow overflow;
  private final InstantSource time;
  private final RandomGenerator random;

  /**
   * @param family short, of lower case letters: part of the cookies' names
   * @param random a SecureRandom outside tests
   */
  public PendingCookies(
      SealedState sealed, String family, PendingOverflow overflow, InstantSource time, RandomGenerator random) {
    this.sealed = sealed;
    this.family = family;
    this.overflow = overflow;
    this.time = time;
    this.random = random;
  }

  /** The result of {@link #keep}. */
  public sealed interface Keeping {
    /** The browser stores the request, once it receives these cookies. */
    record Kept(List<String> setCookies) implements Keeping {
      /** Returns the reply with the cookies. */
      public EdgeReply in(EdgeReply reply) {
        EdgeReply all = reply;
        for (String cookie : setCookies) {
          all = all.with("Set-Cookie", cookie);
        }
        return all;
      }
    }

    /** The request is too large for a cookie, and there is no space for more of these now: answer 503 with Retry-After. */
    record Full(Duration retryAfter) implements Keeping {}

    /** The request is larger than any that is stored: answer 414 or 413. */
    record TooLarge() implements Keeping {}
  }

  /**
   * A cookie of the browser.
   *
   * @param name as sent, including {@code __Host-}
   */
  private record Pending(String name, String value) {
    int length() {
      return name.length() + 1 + value.length();
    }

    /** Returns the time of the request and its tag. */
    String order() {
      return name.substring(name.lastIndexOf('.') + 1);
    }

    boolean isOf(String tag) {
      return name.endsWith("-" + tag);
    }
  }

  /**
   * Stores the request with the browser that sent it; replaces an earlier request with the same id.
   *
   * @param browser the browser's secret token
   * @param id of at least 128 random bits, or authenticated itself; identifies the request later
   */
  public Keeping keep(
      EdgeRequest request, String realm, SessionToken browser, String id, byte[] payload, Duration life) {
    if (payload.length > PendingOverflow.LARGEST) {
      return new Keeping.TooLarge();
    }
    List<Pending> all = carried(request);
    String tag = tag(id);
    Optional<Pending> before = all.stream().filter(own -> isOurs(own, request, realm) && own.isOf(tag)).findFirst();
    String name = before.map(Pending::name).orElseGet(() -> name(request, realm, tag));
    byte[] body = prefixed(HERE, payload);
    boolean fits = name.length() + 1 + sealedLength(body.length) <= LARGEST_COOKIE;
    if (!fits) {
      byte[] handle = before.flatMap(own -> handle(realm, browser, id, own)).orElseGet(this::newHandle);
      Optional<Duration> wait = overflow.put(text(handle), request.client(), payload, time.instant().plus(life));
      if (wait.isPresent()) {
        return new Keeping.Full(wait.get());
      }
      body = prefixed(HELD, handle);
    }
    String value = sealed.seal(realm, browser, id, body, time.instant().plus(life));
    Pending kept = new Pending(name, value);
    List<String> setCookies = new ArrayList<>();
    setCookies.add(Cookies.set(request.origin(), base(name), value, life));
    givingWay(all, kept, request, realm).forEach(old -> setCookies.add(Cookies.remove(request.origin(), base(old.name()))));
    return new Keeping.Kept(List.copyOf(setCookies));
  }

  /** Returns the browser's request with that id, without consuming it. */
  public UnsealResult open(EdgeRequest request, String realm, SessionToken browser, String id) {
    UnsealResult outcome = new UnsealResult.Absent();
    String tag = tag(id);
    for (Pending own : carried(request)) {
      if (isOurs(own, request, realm) && own.isOf(tag)) {
        outcome = sealed.open(realm, browser, id, own.value());
        if (outcome instanceof UnsealResult.Opened(byte[] body, var expiresAt)) {
          return opened(body, expiresAt);
        }
      }
    }
    return outcome;
  }

  /** A format of ours that this version does not know is unreadable: the person begins again. */
  private UnsealResult opened(byte[] body, Instant expiresAt) {
    if (body.length == 0 || body[0] != HERE && body[0] != HELD) {
      return new UnsealResult.Unreadable();
    }
    byte[] rest = Arrays.copyOfRange(body, 1, body.length);
    return body[0] == HERE
        ? new UnsealResult.Opened(rest, expiresAt)
        : overflow
            .get(text(rest))
            .<UnsealResult>map(payload -> new UnsealResult.Opened(payload, expiresAt))
            .orElseGet(UnsealResult.Lost::new);
  }

  /** Returns the reply, extended so that the browser deletes its request with that id. */
  public EdgeReply forgottenBy(EdgeReply reply, EdgeRequest request, String realm, SessionToken browser, String id) {
    EdgeReply all = reply;
    String tag = tag(id);
    for (Pending own : carried(request)) {
      if (isOurs(own, request, realm) && own.isOf(tag)) {
        // A cookie with this length almost certainly contains a handle. Other cookies have nothing to drop, so they need not be opened.
        if (own.value().length() == HELD_LENGTH) {
          handle(realm, browser, id, own).ifPresent(handle -> overflow.drop(text(handle)));
        }
        all = all.with("Set-Cookie", Cookies.remove(request.origin(), base(own.name())));
      }
    }
    return all;
  }

  /** Returns the oldest cookies of this family beyond {@link #MAX}, and the oldest of all beyond {@link #LARGEST_TOTAL}. */
  private List<Pending> givingWay(List<Pending> all, Pending kept, EdgeRequest request, String realm) {
    List<Pending> others =
        all.stream()
            .filter(own -> !own.name().equals(kept.name()))
            .sorted(Comparator.comparing(Pending::order))
            .toList();
    long surplus = others.stream().filter(own -> isOurs(own, request, realm)).count() + 1 - MAX;
    int length = kept.length() + others.stream().mapToInt(Pending::length).sum();
    List<Pending> leaving = new ArrayList<>();
    for (Pending own : others) {
      boolean ofFamily = isOurs(own, request, realm);
      if (ofFamily && surplus > 0 || length > LARGEST_TOTAL) {
        leaving.add(own);
        length -= own.length();
        surplus -= ofFamily ? 1 : 0;
      }
    }
    return leaving;
  }

  /** Returns the pending requests of every family and realm. */
  private static List<Pending> carried(EdgeRequest request) {
    String prefix = Cookies.name(request.origin(), PREFIX);
    List<Pending> found = new ArrayList<>();
    for (String field : request.headers().all("Cookie")) {
      for (String pair : field.split(";")) {
        String cookie = pair.strip();
        int equals = cookie.indexOf('=');
        boolean fits = cookie.startsWith(prefix) && equals > 0 && isPlain(cookie.substring(0, equals).strip());
        if (fits && found.size() < MAX_READ) {
          found.add(new Pending(cookie.substring(0, equals).strip(), cookie.substring(equals + 1).strip()));
        }
      }
    }
    return found;
  }

  /** Returns whether the name has the form of our names; checked because names are written back in Set-Cookie. */
  private static boolean isPlain(String name) {
    return name.chars()
        .allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-');
  }

  private boolean isOurs(Pending own, EdgeRequest request, String realm) {
    String prefix = Cookies.name(request.origin(), familyPrefix(realm));
    return own.name().startsWith(prefix) && own.name().indexOf('.', prefix.length()) < 0;
  }

  /** Returns the handle of the state in memory for that cookie. */
  private Optional<byte[]> handle(String realm, SessionToken browser, String id, Pending own) {
    return sealed.open(realm, browser, id, own.value()) instanceof UnsealResult.Opened(byte[] body, var at)
            && body.length > 0
            && body[0] == HELD
        ? Optional.of(Arrays.copyOfRange(body, 1, body.length))
        : Optional.empty();
  }

  private byte[] newHandle() {
    byte[] handle = new byte[HANDLE_BYTES];
    random.nextBytes(handle);
    return handle;
  }

  private String name(EdgeRequest request, String realm, String tag) {
    String now = Long.toString(Math.max(0, time.millis()), Character.MAX_RADIX);
    String sortable = "0".repeat(Math.max(0, TIME_DIGITS - now.length())) + now;
    return Cookies.name(request.origin(), familyPrefix(realm) + sortable + "-" + tag);
  }

  private String familyPrefix(String realm) {
    return PREFIX + family + "." + realm + ".";
  }

  /** Returns the name without {@code __Host-}, which {@link Cookies} adds. */
  private static String base(String name) {
    return name.substring(name.indexOf(PREFIX));
  }

  private static int sealedLength(int payload) {
    return (4 * (payload + SealedState.OVERHEAD) + 2) / 3;
  }

  private static byte[] prefixed(byte kind, byte[] bytes) {
    byte[] all = new byte[1 + bytes.length];
    all[0] = kind;
    System.arraycopy(bytes, 0, all, 1, bytes.length);
    return all;
  }

  private static String text(byte[] handle) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(handle);
  }

  /** Returns the tag by which a cookie is found; the seal authenticates that it is the right one. */
  private static String tag(String id) {
    return text(Arrays.copyOf(Sha256.of(id), TAG_BYTES)).replace('-', '_');
  }
}
