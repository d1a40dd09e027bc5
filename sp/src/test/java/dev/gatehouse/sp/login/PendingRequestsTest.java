package dev.gatehouse.sp.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.sealed.PendingCookies;
import dev.gatehouse.common.sealed.PendingCookies.Keeping;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.PendingRequests.Found;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The requests that a browser carries, at the limits of their lifetime and in other formats. */
final class PendingRequestsTest {

  private static final SpRealm REALM = SpRealm.of(TestRealms.demo()).orElseThrow();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final TestTime time = new TestTime();
  private final SealingKey sealing = SealingKey.inMemory(RANDOM);
  private final ReplayCache marks = new MemoryStores(time).replayCache();
  private final PendingRequests pendings = new PendingRequests(sealing, marks, new MemoryStores(time), refusals(), time, RANDOM);
  private final BrowserKey browser = BrowserKey.ofOrNew(REALM, request(List.of()), RANDOM);

  /** A request that took its time: the cookie was sealed later than the request was created. */
  @Test
  void noRequestIsAnsweredTwiceAtTheEndOfItsTime() {
    PendingRequest pending = pending(time.instant());
    time.advance(Duration.ofSeconds(20));
    EdgeRequest with = carrying(PendingRequest.codec(REALM.name(), pending.id()).encode(pending), pending.id());
    time.advance(PendingRequests.LIFE.minusSeconds(21));
    assertThat(pendings.find(REALM, with, pending.id())).isInstanceOf(Found.Waiting.class);
    assertThat(pendings.answer(pending)).isTrue();

    for (int second = 0; second < 90; second++) {
      time.advance(Duration.ofSeconds(1));
      boolean again = pendings.find(REALM, with, pending.id()) instanceof Found.Waiting && pendings.answer(pending);
      assertThat(again).as("%s s later", second + 1).isFalse();
    }
  }

  /** A node that shares the marks and whose clock is behind still accepts the request. */
  @Test
  void theMarkOutlivesItsRequestByAMinute() {
    PendingRequest pending = pending(time.instant());
    assertThat(pendings.answer(pending)).isTrue();
    time.advance(PendingRequests.LIFE.plusSeconds(59));
    assertThat(pendings.answer(pending)).isFalse();
  }

  @Test
  void aRequestOfAnotherFormatIsNoneAndNoFault() {
    PendingRequest pending = pending(time.instant());
    byte[] whole = PendingRequest.codec(REALM.name(), pending.id()).encode(pending);
    assertThat(pendings.find(REALM, carrying(whole, pending.id()), pending.id())).isInstanceOf(Found.Waiting.class);
    for (int version = 0; version < 256; version++) {
      byte[] other = whole.clone();
      other[0] = (byte) version;
      // The next version may only append, so that this one reads it.
      boolean isRead = version == whole[0] || version == whole[0] + 1;
      assertThat(pendings.find(REALM, carrying(other, pending.id()), pending.id()))
          .isInstanceOf(isRead ? Found.Waiting.class : Found.OtherBrowser.class);
    }
    for (int length = 0; length < whole.length; length++) {
      byte[] shorter = Arrays.copyOf(whole, length);
      assertThat(pendings.find(REALM, carrying(shorter, pending.id()), pending.id())).isInstanceOf(Found.OtherBrowser.class);
    }
    assertThat(pendings.find(REALM, carrying(Arrays.copyOf(whole, whole.length + 1), pending.id()), pending.id()))
        .isInstanceOf(Found.OtherBrowser.class);
  }

  /** Decoding may yield another request, but never a fault. */
  @Test
  void alteredFormatsAreNoFault() {
    long seed = RANDOM.nextLong();
    Random random = new Random(seed);
    PendingRequest pending = pending(time.instant());
    byte[] whole = PendingRequest.codec(REALM.name(), pending.id()).encode(pending);
    for (int i = 0; i < 3000; i++) {
      byte[] altered = whole.clone();
      for (int change = 0; change <= random.nextInt(3); change++) {
        altered[random.nextInt(altered.length)] = (byte) random.nextInt(256);
      }
      assertThat(pendings.find(REALM, carrying(altered, pending.id()), pending.id())).as("seed " + seed).isNotNull();
    }
  }

  private PendingRequest pending(Instant at) {
    return new PendingRequest(
        REALM.name(),
        pendings.newId(REALM),
        "https://idp.example",
        LoginRequest.to(ReturnTarget.local(REALM.home(), "/page?x=1")),
        List.of("urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"),
        at,
        Optional.empty());
  }

  /** The browser's next request, with this payload sealed for it just now. */
  private EdgeRequest carrying(byte[] payload, String id) {
    PendingCookies cookies =
        new PendingCookies(
            new SealedState(sealing, "sp login", 1, time, RANDOM), "sp", new PendingOverflow(time), time, RANDOM);
    Keeping.Kept kept =
        (Keeping.Kept)
            cookies.keep(request(List.of()), REALM.name(), browser.token(), id, payload, PendingRequests.LIFE);
    List<String> pairs = new ArrayList<>();
    EdgeReply reply = browser.rememberedBy(kept.in(EdgeReply.seeOther("/")), request(List.of()));
    reply.headers().all("Set-Cookie").forEach(set -> pairs.add(set.substring(0, set.indexOf(';'))));
    return request(pairs);
  }

  private static EdgeRequest request(List<String> cookies) {
    List<Headers.Field> fields =
        cookies.isEmpty() ? List.of() : List.of(new Headers.Field("Cookie", String.join("; ", cookies)));
    return new EdgeRequest(
        "GET", REALM.home(), "/", "", Headers.of(fields), new byte[0], InetAddress.getLoopbackAddress());
  }

  private Refusals refusals() {
    return new Refusals(
        new ThymeleafPages(),
        new RefusalLog(
            new RecordingAuditLog(), new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), RANDOM));
  }
}
