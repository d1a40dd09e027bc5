package dev.gatehouse.common.sealed;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
 * Requests that wait for a browser which has not logged in: each is one {@linkplain SealedState sealed} cookie of that browser,
 * {@code gh_wait.FAMILY.REALM.TIME-TAG}, at most a kilobyte, and at most four of a family and realm; the oldest gives way. So tabs coexist,
 * and a proxy in front that takes 8 KB of fields takes these. Nothing is stored, but for what is too large ({@link PendingOverflow}).
 *
 * <p>Whether a request was answered before, a mark says that is written when it is answered: a browser can bring a deleted cookie again.
 */
public final class PendingCookies {

  /** Of one family and realm. */
  public static final int MOST = 4;

  /** Bytes of a cookie's name and value. */
  public static final int LARGEST_COOKIE = 1024;

  /** Bytes of all of them, whatever family and realm. */
  public static final int LARGEST_TOTAL = 6 * 1024;

  /** Looked at in one request: nobody has us try hundreds. */
  private static final int MOST_READ = 32;

  private static final String PREFIX = "gh_wait.";
  private static final int TIME_DIGITS = 9;
  private static final int TAG_BYTES = 6;
  private static final int HANDLE_BYTES = 16;

  /** Of the value of a cookie that holds only a handle. */
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

  /** The outcome of {@link #keep}. */
  public sealed interface Keeping {
    /** The browser carries it, once it has these cookies. */
    record Kept(List<String> setCookies) implements Keeping {
      /** The reply with the cookies. */
      public EdgeReply in(EdgeReply reply) {
        EdgeReply all = reply;
        for (String cookie : setCookies) {
          all = all.with("Set-Cookie", cookie);
        }
        return all;
      }
    }

    /** It is too large for a cookie, and there is no room for more of these now: answer 503 with Retry-After. */
    record Full(Duration retryAfter) implements Keeping {}

    /** It is larger than anything that is kept: answer 414 or 413. */
    record TooLarge() implements Keeping {}
  }

  /** One of the browser's. @param name as sent, {@code __Host-} included */
  private record Pending(String name, String value) {
    int length() {
      return name.length() + 1 + value.length();
    }

    /** When it was begun, and its tag. */
    String order() {
      return name.substring(name.lastIndexOf('.') + 1);
    }

    boolean isOf(String tag) {
      return name.endsWith("-" + tag);
    }
  }

  /**
   * Keeps it with the browser that sent the request; what the browser carries by the same id is replaced.
   *
   * @param browser what only that browser holds
   * @param id of 128 random bits at least, or authenticated itself: names the request later
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

  /** What the browser carries by that id. Looks without consuming. */
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

  /** Sealed by us in a format that this version does not read, it is unreadable: the person begins again. */
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

  /** The reply, and the browser forgets what it carries by that id. */
  public EdgeReply forgottenBy(EdgeReply reply, EdgeRequest request, String realm, SessionToken browser, String id) {
    EdgeReply all = reply;
    String tag = tag(id);
    for (Pending own : carried(request)) {
      if (isOurs(own, request, realm) && own.isOf(tag)) {
        // A cookie that carries all of it is of another length, but for a few: nothing to drop, so nothing to open.
        if (own.value().length() == HELD_LENGTH) {
          handle(realm, browser, id, own).ifPresent(handle -> overflow.drop(text(handle)));
        }
        all = all.with("Set-Cookie", Cookies.remove(request.origin(), base(own.name())));
      }
    }
    return all;
  }

  /** The oldest of this family beyond {@link #MOST}, and the oldest of all beyond {@link #LARGEST_TOTAL}. */
  private List<Pending> givingWay(List<Pending> all, Pending kept, EdgeRequest request, String realm) {
    List<Pending> others =
        all.stream()
            .filter(own -> !own.name().equals(kept.name()))
            .sorted(Comparator.comparing(Pending::order))
            .toList();
    long surplus = others.stream().filter(own -> isOurs(own, request, realm)).count() + 1 - MOST;
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

  /** All that wait, of every family and realm. */
  private static List<Pending> carried(EdgeRequest request) {
    String prefix = Cookies.name(request.origin(), PREFIX);
    List<Pending> found = new ArrayList<>();
    for (String field : request.headers().all("Cookie")) {
      for (String pair : field.split(";")) {
        String cookie = pair.strip();
        int equals = cookie.indexOf('=');
        boolean fits = cookie.startsWith(prefix) && equals > 0 && isPlain(cookie.substring(0, equals).strip());
        if (fits && found.size() < MOST_READ) {
          found.add(new Pending(cookie.substring(0, equals).strip(), cookie.substring(equals + 1).strip()));
        }
      }
    }
    return found;
  }

  /** As our names are: they go back in Set-Cookie. */
  private static boolean isPlain(String name) {
    return name.chars()
        .allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-');
  }

  private boolean isOurs(Pending own, EdgeRequest request, String realm) {
    String prefix = Cookies.name(request.origin(), familyPrefix(realm));
    return own.name().startsWith(prefix) && own.name().indexOf('.', prefix.length()) < 0;
  }

  /** Of what is held in memory for that cookie. */
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

  /** Without {@code __Host-}, which {@link Cookies} puts in front. */
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

  /** Finds the cookie; that it is the right one, the seal says. */
  private static String tag(String id) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return text(Arrays.copyOf(digest, TAG_BYTES)).replace('-', '_');
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
