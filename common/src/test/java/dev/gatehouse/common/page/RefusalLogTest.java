package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.RecordingAuditLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Strangers' texts in the audit log and the log. */
final class RefusalLogTest {

  private static final InetAddress SCANNER = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

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
