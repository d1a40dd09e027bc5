package dev.gatehouse.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.authn.DeviceChecks.Verdict;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the check of the device costs a request of a connection that sent the same fields before. */
@Timeout(120)
class DeviceCostTest {

  private static final int REQUESTS = 20_000;

  /** {@code -Ddevice.rounds=200} for the figures of decision 401, in a JVM with all compilers. */
  private static final int ROUNDS = Integer.getInteger("device.rounds", 5);
  private static final Origin APP = new Origin("https", "app.example.org", 443);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final BoundCookies cookies = new BoundCookies(SealingKey.inMemory(new Random(1)));
  private final DeviceChecks checks = new DeviceChecks(cookies, new RecordingAuditLog(), new SimpleMeterRegistry());
  private final SessionToken token = SessionToken.create(new Random(2));

  private RequestHead head() {
    String head =
        """
        GET /page HTTP/1.1
        Host: app.example.org
        Connection: keep-alive
        sec-ch-ua: "Not:A-Brand";v="8", "Chromium";v="156"
        sec-ch-ua-mobile: ?0
        sec-ch-ua-platform: "Linux"
        Upgrade-Insecure-Requests: 1
        User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36
        Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
        Sec-Fetch-Site: same-origin
        Sec-Fetch-Mode: navigate
        Sec-Fetch-Dest: document
        Accept-Encoding: gzip, deflate, br, zstd
        Accept-Language: en-US,en;q=0.9
        Cookie: __Host-gh_app=%s; __Host-gh_bound=%s

        """
            .formatted(token.value(), cookies.issue("demo", token.id(), "key", NOW))
            .replace("\n", "\r\n");
    if (new RequestParser(HeadLimits.of(NodeLimits.USUAL.messages())).parse(head.getBytes(StandardCharsets.US_ASCII)) instanceof RequestHead parsed) {
      return parsed;
    }
    throw new AssertionError("malformed");
  }

  @Test
  void aRequestOfAKnownConnectionAllocatesLittle() {
    RequestHead head = head();
    AppSession session =
        new AppSession(
            token.id(), "demo", new Lifetime(NOW, Instant.MAX, Instant.MAX),
            new LocalAccount(new PersonId("alice"), "alice", List.of(), List.of(), Map.of()),
            new AppSession.Login("idp", NameId.of("alice", NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), NOW),
            new SessionDevice(
                Optional.of(FingerprintFields.of(head.fields(), 7)),
                List.of(new DeviceBinding(token.id(), NOW.minusSeconds(60), new State.Bound(Kind.DBSC, "{}", "key")))));
    DeviceMemo memo = new DeviceMemo(() -> 7);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    long leastBytes = Long.MAX_VALUE;
    long leastNanos = Long.MAX_VALUE;
    long parsed = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getThreadAllocatedBytes(self);
      long cpu = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < REQUESTS; i++) {
        assertSame(checks.check(memo, "demo", APP, head, token.id(), session, NOW));
      }
      leastNanos = Math.min(leastNanos, threads.getCurrentThreadCpuTime() - cpu);
      leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(self) - before);
      cpu = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < REQUESTS / 10; i++) {
        assertSame(checks.check(new DeviceMemo(() -> 7), "demo", APP, head, token.id(), session, NOW));
      }
      parsed = Math.min(parsed, threads.getCurrentThreadCpuTime() - cpu);
    }
    System.out.printf(
        "known connection: %d ns, %d bytes; first request of a connection: %d ns%n", leastNanos / REQUESTS, leastBytes / REQUESTS,
        parsed / (REQUESTS / 10));
    // 672 with all compilers, 1,104 without C2, in which tests run.
    assertThat(leastBytes / REQUESTS).isLessThan(1500);
  }

  private static void assertSame(Verdict verdict) {
    if (!(verdict instanceof Verdict.Same)) {
      throw new AssertionError(verdict);
    }
  }
}
