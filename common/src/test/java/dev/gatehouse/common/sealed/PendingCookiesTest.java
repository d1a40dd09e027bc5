package dev.gatehouse.common.sealed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.FairQuota;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PendingCookiesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final SecureRandom random = new SecureRandom();
  private final TestTime time = new TestTime();
  private final SealingKey key = SealingKey.inMemory(random);
  private final PendingOverflow overflow = new PendingOverflow(time);
  private final PendingCookies cookies = cookies("sp");
  private final SessionToken browser = SessionToken.create(random);
  /** As the browser keeps them. */
  private final Map<String, String> jar = new LinkedHashMap<>();

  private PendingCookies cookies(String family) {
    return new PendingCookies(new SealedState(key, family, 1, time, random), family, overflow, time, random);
  }

  private EdgeRequest request() {
    return request("https://app.example", "192.0.2.1");
  }

  private EdgeRequest request(String origin, String client) {
    String field = jar.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining("; "));
    try {
      return new EdgeRequest(
          "GET",
          Origin.of(URI.create(origin)),
          "/",
          "",
          Headers.of("Cookie", "theme=dark; " + field),
          new byte[0],
          InetAddress.getByName(client));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void remember(EdgeReply reply) {
    for (String cookie : reply.headers().all("Set-Cookie")) {
      String[] pair = cookie.split(";", 2)[0].split("=", 2);
      if (cookie.contains("Max-Age=0")) {
        jar.remove(pair[0]);
      } else {
        jar.put(pair[0], pair[1]);
      }
    }
  }

  private void keep(PendingCookies family, String id, String payload) {
    keep(family, "demo", id, payload);
  }

  private void keep(PendingCookies family, String realm, String id, String payload) {
    PendingCookies.Keeping keeping = family.keep(request(), realm, browser, id, payload.getBytes(UTF_8), HOUR);
    remember(((PendingCookies.Keeping.Kept) keeping).in(EdgeReply.noContent()));
    time.advance(Duration.ofMillis(1));
  }

  private String opened(PendingCookies family, String id) {
    return family.open(request(), "demo", browser, id) instanceof UnsealResult.Opened(byte[] payload, var at)
        ? new String(payload, UTF_8)
        : "-";
  }

  @Test
  void theBrowserCarriesItsRequestsAndTabsCoexist() {
    keep(cookies, "_1", "one");
    keep(cookies, "_2", "two");
    assertThat(opened(cookies, "_1")).isEqualTo("one");
    assertThat(opened(cookies, "_2")).isEqualTo("two");
    assertThat(opened(cookies("idp"), "_1")).isEqualTo("-");
    assertThat(cookies.open(request(), "other", browser, "_1")).isInstanceOf(UnsealResult.Absent.class);
    assertThat(cookies.open(request(), "demo", browser, "_3")).isInstanceOf(UnsealResult.Absent.class);
    assertThat(cookies.open(request(), "demo", SessionToken.create(random), "_1")).isInstanceOf(UnsealResult.Unreadable.class);
    time.advance(HOUR);
    assertThat(cookies.open(request(), "demo", browser, "_1")).isInstanceOf(UnsealResult.Expired.class);
  }

  @Test
  void forgettingOpensOnlyWhatMayHoldAHandle() {
    AtomicInteger opened = new AtomicInteger();
    InstantSource counting =
        () -> {
          opened.incrementAndGet();
          return time.instant();
        };
    PendingCookies counted =
        new PendingCookies(new SealedState(key, "sp", 1, counting, random), "sp", overflow, time, random);
    keep(counted, "_small", "payload");
    keep(counted, "_16", "p".repeat(16));
    keep(counted, "_large", "p".repeat(2000));
    assertThat(overflow.bytes()).isPositive();
    List<String> ids = List.of("_small", "_16", "_large");
    for (int before = 0; before < ids.size(); before++) {
      remember(counted.forgottenBy(EdgeReply.noContent(), request(), "demo", browser, ids.get(before)));
      assertThat(opened).as(ids.get(before)).hasValue(before);
    }
    assertThat(overflow.bytes()).as("given back").isZero();
    assertThat(jar).isEmpty();
  }

  @Test
  void theAttributesAreThoseOfOurOtherCookies() {
    var kept = (PendingCookies.Keeping.Kept) cookies.keep(request(), "demo", browser, "_1", new byte[9], HOUR);
    assertThat(kept.setCookies())
        .singleElement()
        .asString()
        .startsWith("__Host-gh_wait.sp.demo.")
        .endsWith("; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600");
    var plain =
        (PendingCookies.Keeping.Kept)
            cookies.keep(request("http://localhost:8080", "127.0.0.1"), "demo", browser, "_1", new byte[9], HOUR);
    assertThat(plain.setCookies())
        .singleElement()
        .asString()
        .startsWith("gh_wait.sp.demo.")
        .endsWith("; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600");
  }

  @Test
  void aFifthTakesThePlaceOfTheOldest() {
    for (int i = 1; i <= 5; i++) {
      keep(cookies, "_" + i, "request " + i);
    }
    assertThat(jar).hasSize(PendingCookies.MAX);
    assertThat(opened(cookies, "_1")).isEqualTo("-");
    assertThat(opened(cookies, "_2")).isEqualTo("request 2");
    assertThat(opened(cookies, "_5")).isEqualTo("request 5");
  }

  @Test
  void theSameRequestKeepsItsPlace() {
    keep(cookies, "_1", "one");
    keep(cookies, "_2", "two");
    keep(cookies, "_1", "one, changed");
    assertThat(jar).hasSize(2);
    assertThat(opened(cookies, "_1")).isEqualTo("one, changed");
  }

  @Test
  void allTogetherStayBelowWhatProxiesTake() {
    for (String family : new String[] {"sp", "idp", "logout"}) {
      for (int i = 0; i < 6; i++) {
        keep(cookies(family), "_" + i, "x".repeat(600));
        keep(cookies(family), "second", "_" + i, "x".repeat(600));
        int length = request().headers().first("Cookie").orElseThrow().length();
        assertThat(length).isLessThan(7 * 1024);
      }
    }
    assertThat(jar.entrySet()).allMatch(e -> e.getKey().length() + 1 + e.getValue().length() <= 1024);
    assertThat(cookies("logout").open(request(), "second", browser, "_5")).isInstanceOf(UnsealResult.Opened.class);
    assertThat(overflow.bytes()).isZero();
  }

  @Test
  void whatIsTooLargeForACookieIsHeldWithinBoundsAndBoundToTheBrowserAsWell() {
    String large = "y".repeat(20_000);
    keep(cookies, "_1", large);
    assertThat(request().headers().first("Cookie").orElseThrow().length()).isLessThan(300);
    assertThat(opened(cookies, "_1")).isEqualTo(large);
    assertThat(cookies.open(request(), "demo", SessionToken.create(random), "_1")).isInstanceOf(UnsealResult.Unreadable.class);
    int before = overflow.bytes();
    keep(cookies, "_1", large);
    assertThat(overflow.bytes()).isEqualTo(before);
    keep(cookies, "_2", large);
    remember(cookies.forgottenBy(EdgeReply.noContent(), request(), "demo", browser, "_1"));
    assertThat(opened(cookies, "_1")).isEqualTo("-");
    assertThat(overflow.bytes()).isEqualTo(before);
    assertThat(cookies.keep(request(), "demo", browser, "_3", new byte[70_000], HOUR))
        .isInstanceOf(PendingCookies.Keeping.TooLarge.class);
  }

  @Test
  void aFullMemoryIsToldWithATime() {
    PendingOverflow small = new PendingOverflow(time, new FairQuota.Limits(4096, 4096));
    PendingCookies tight = new PendingCookies(new SealedState(key, "sp", 1, time, random), "sp", small, time, random);
    byte[] large = new byte[3000];
    tight.keep(request("https://app.example", "192.0.2.1"), "demo", browser, "_1", large, HOUR);
    assertThat(tight.keep(request("https://app.example", "192.0.2.2"), "demo", browser, "_2", large, HOUR))
        .isEqualTo(new PendingCookies.Keeping.Full(HOUR));
    assertThat(tight.keep(request("https://app.example", "192.0.2.2"), "demo", browser, "_3", new byte[100], HOUR))
        .isInstanceOf(PendingCookies.Keeping.Kept.class);
  }

  @Test
  void whatIsForgottenIsRemovedFromTheBrowser() {
    keep(cookies, "_1", "one");
    keep(cookies, "_2", "two");
    remember(cookies.forgottenBy(EdgeReply.noContent(), request(), "demo", browser, "_1"));
    assertThat(jar).hasSize(1);
    assertThat(opened(cookies, "_2")).isEqualTo("two");
  }

  @Test
  void namesThatSomebodyMadeUpAreNeitherTriedByTheHundredNorSentBack() {
    keep(cookies, "_1", "one");
    jar.put("__Host-gh_wait.sp.demo.x y", "made up");
    for (int i = 0; i < 500; i++) {
      jar.put("__Host-gh_wait.sp.demo.0" + i + "-madeup", "made up");
    }
    var kept = (PendingCookies.Keeping.Kept) cookies.keep(request(), "demo", browser, "_2", new byte[9], HOUR);
    assertThat(kept.setCookies()).hasSizeLessThan(40).noneMatch(set -> set.contains("x y"));
    assertThat(opened(cookies, "_1")).isEqualTo("one");
  }

  @Test
  void namesSortByTime() {
    keep(cookies, "_1", "one");
    time.advance(Duration.ofDays(365 * 20));
    keep(cookies, "_2", "two");
    assertThat(List.copyOf(jar.keySet())).isSorted();
  }

  /** Sealed by us, in formats that this version does not have: the person begins again, and nobody meets a fault. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\u0002", "\u0002{}", "{\"a\":1}", "\u007f"})
  void aBodyOfAnotherFormatIsUnreadable(String body) {
    keep(cookies, "_1", "one");
    String name = jar.keySet().iterator().next();
    jar.put(name, sealed(body));

    assertThat(cookies.open(request(), "demo", browser, "_1")).isInstanceOf(UnsealResult.Unreadable.class);
    keep(cookies, "_1", "y".repeat(20_000));
    jar.put(name, sealed(body));
    remember(cookies.forgottenBy(EdgeReply.noContent(), request(), "demo", browser, "_1"));
    assertThat(jar).isEmpty();
    keep(cookies, "_1", "again");
    assertThat(opened(cookies, "_1")).isEqualTo("again");
  }

  /** A handle without its bytes is one that memory does not know. */
  @Test
  void anEmptyHandleIsLost() {
    keep(cookies, "_1", "one");
    jar.put(jar.keySet().iterator().next(), sealed("\u0001"));
    assertThat(cookies.open(request(), "demo", browser, "_1")).isInstanceOf(UnsealResult.Lost.class);
  }

  private String sealed(String body) {
    return new SealedState(key, "sp", 1, time, random)
        .seal("demo", browser, "_1", body.getBytes(UTF_8), time.instant().plus(HOUR));
  }
}
