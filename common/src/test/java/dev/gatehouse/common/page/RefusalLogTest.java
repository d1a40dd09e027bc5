package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.refusal.FileRefusalTraces;
import dev.gatehouse.common.refusal.RefusalTrace;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers' texts in the audit log and the log. */
final class RefusalLogTest {

  private static final InetAddress SCANNER = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

  @TempDir private Path folder;

  private final TestTime time = new TestTime();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final Counter unwritten = new SimpleMeterRegistry().counter("unwritten");
  private final RefusalLog refusals = new RefusalLog(audit, new AuditRateLimit(time), unwritten, new SecureRandom());

  @Test
  void aRefusalIsFoundByItsReference() {
    String reference = refusals.record("demo", SCANNER, "https://sp.example", "AuthnRequest", "SCHEMA", "an Index of x");
    MessageRefused event = audit.events(MessageRefused.class).getFirst();
    assertThat(event.context().reference()).contains(reference);
    assertThat(event.context().realm()).isEqualTo("demo");
    assertThat(event.context().client()).isEqualTo("192.0.2.1");
    assertThat(event.partner()).isEqualTo("https://sp.example");
    assertThat(event.reason()).isEqualTo("SCHEMA");
  }

  @Test
  void aRefusedLoginLeavesATraceWithItsAssertion() throws IOException {
    try (FileRefusalTraces traces =
        new FileRefusalTraces(folder, SealingKey.inMemory(new SecureRandom()), time, () -> false, FileRefusalTraces.Limits.USUAL)) {
      RefusalLog log = new RefusalLog(audit, new AuditRateLimit(time), unwritten, new SecureRandom(), traces, time);
      RefusalTrace.Assertion assertion =
          new RefusalTrace.Assertion(
              "https://idp.example", "_a", time.instant(), Optional.empty(), Optional.of(time.instant()), List.of("https://sp.example"),
              Optional.empty(), Optional.empty());
      String reference =
          log.record("demo", SCANNER, "https://idp.example", "Response", "EXPIRED", "ended an hour ago", Optional.of(assertion));
      Eventually.holds(() -> traces.find(reference).size() == 1);
      RefusalTrace trace = traces.find(reference).getFirst();
      assertThat(trace.assertion()).contains(assertion);
      assertThat(trace.refused().detail()).isEqualTo("ended an hour ago");
      assertThat(trace.realm()).isEqualTo("demo");
    }
  }

  @Test
  void aFloodIsCountedAndHidesNobodyElse() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(refuse(SCANNER)).hasSize(12);
    }
    assertThat(audit.events(MessageRefused.class)).hasSize(500);
    assertThat(unwritten.count()).isEqualTo(500);
    refuse(OTHER);
    assertThat(audit.events(MessageRefused.class)).hasSize(501);
    time.advance(Duration.ofSeconds(3));
    for (int i = 0; i < 10; i++) {
      refuse(SCANNER);
    }
    assertThat(audit.events(MessageRefused.class)).hasSize(504);
  }

  @Test
  void whatAKnownClientPassesOnIsCountedToo() {
    for (int i = 0; i < 600; i++) {
      assertThat(refusals.admits("demo", "radius:vpn")).isEqualTo(i < 500);
    }
    assertThat(unwritten.count()).isEqualTo(100);
    assertThat(refusals.admits(SCANNER)).isTrue();
  }

  /** Whoever has asked for a place for two events about one refusal writes the second one without another place. */
  @Test
  void whatWasAdmittedWithAnotherEventTakesNoSecondPlace() {
    for (int i = 0; i < 600; i++) {
      if (refusals.admits(SCANNER)) {
        String reference = refusals.recordAdmitted("demo", SCANNER, "-", "GET /login/certificate", "CERTIFICATE_NOT_TRUSTED", "");
        assertThat(audit.events(MessageRefused.class).getLast().context().reference()).contains(reference);
      }
    }
    assertThat(audit.events(MessageRefused.class)).hasSize(500);
    assertThat(unwritten.count()).isEqualTo(100);
  }

  @Test
  void whatCannotBeRecordedIsNotPassedOver() {
    audit.breakDown(true);
    assertThatThrownBy(() -> refuse(SCANNER)).isInstanceOf(AuditUnavailable.class);
  }

  @Test
  void case63WhatIsRefusedBeginsNoLineOfTheLogAndDoesNotFillIt() {
    assertThat(RefusalLog.printable("x\r\nforged\u2028line\u0085\u001b[31m\u202eabc"))
        .isEqualTo("x??forged?line??[31m?abc");
    assertThat(RefusalLog.printable("https://app.example/Öl?a=b c")).isEqualTo("https://app.example/Öl?a=b c");
    assertThat(RefusalLog.printable("a".repeat(200_000))).hasSizeLessThan(400);
  }

  private String refuse(InetAddress client) {
    return refusals.record("demo", client, "-", "AuthnRequest", "NO_MESSAGE", "");
  }
}
