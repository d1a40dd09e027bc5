package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditMetricsTest {

  private static final Context FROM = Context.of("demo", InetAddress.ofLiteral("192.0.2.77"));

  private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AuditMetrics metrics = new AuditMetrics(meters, 3);

  @Test
  void eventsAreCountedWithoutTheirPeople() {
    metrics.accept(new AuditEvent.LoginSucceeded(FROM, "id-of-alice", "alice", "password", "session-1"));
    metrics.accept(new AuditEvent.LoginRefused(FROM, "alice", "basic", "WRONG_PASSWORD"));
    metrics.accept(new AuditEvent.LoginRefused(FROM, "bob", "basic", "WRONG_PASSWORD"));
    metrics.accept(new AuditEvent.SecondFactorChanged(FROM, "id-of-alice", "alice", "enrolled"));
    metrics.accept(new AuditEvent.TokensIssued(FROM, "client-1", "refresh_token", "id-of-alice", "token-1", "openid"));
    metrics.accept(new AuditEvent.SessionEnded(FROM, "idp", "session-1", "id-of-alice", "logout"));
    metrics.accept(new AuditEvent.MessageRefused(FROM, "https://evil.example", "AuthnRequest", "SIGNATURE_MISSING"));
    metrics.accept(new AuditEvent.AccessDenied(FROM, "alice", "manager", "ROLE_MISSING"));
    assertThat(meters.scrape())
        .contains(
            "gatehouse_logins_total{method=\"password\",outcome=\"succeeded\",reason=\"-\"} 1.0",
            "gatehouse_logins_total{method=\"basic\",outcome=\"refused\",reason=\"WRONG_PASSWORD\"} 2.0",
            "gatehouse_secondfactors_changes_total{change=\"enrolled\"} 1.0",
            "gatehouse_tokens_issued_total{grant=\"refresh_token\"} 1.0",
            "gatehouse_sessions_ended_total{cause=\"logout\",kind=\"idp\"} 1.0",
            "gatehouse_refusals_total{reason=\"SIGNATURE_MISSING\",source=\"message\"} 1.0",
            "gatehouse_refusals_total{reason=\"ROLE_MISSING\",source=\"gateway\"} 1.0",
            "gatehouse_audit_events_total{event=\"LoginRefused\"} 2.0")
        .doesNotContain("alice", "bob", "192.0.2.77", "session-1", "token-1", "client-1", "evil");
  }

  @Test
  void partnersAndReasonsAreBounded() {
    for (int i = 0; i < 1000; i++) {
      metrics.accept(new AuditEvent.AssertionIssued(FROM, "p", "https://partner-" + i + ".example", "a", "s"));
      metrics.accept(new AuditEvent.MessageRefused(FROM, "-", "AuthnRequest", "REASON_" + i));
    }
    assertThat(meters.scrape().lines().filter(line -> line.startsWith("gatehouse_sso_assertions_total{"))).hasSize(4);
    assertThat(meters.scrape().lines().filter(line -> line.startsWith("gatehouse_refusals_total{"))).hasSize(501);
    assertThat(meters.scrape())
        .contains("gatehouse_sso_assertions_total{direction=\"issued\",partner=\"other\"} 997.0")
        .contains("gatehouse_refusals_total{reason=\"other\",source=\"message\"} 500.0");
  }

  @Test
  void onlyRecordedEventsAreCounted(@TempDir Path folder) {
    JsonLinesAuditLog log = new JsonLinesAuditLog(folder, 1 << 20, Duration.ofDays(1), new TestTime());
    log.observedBy(metrics);
    log.record(new AuditEvent.AccessDenied(FROM, "alice", "manager", "ROLE_MISSING"));
    log.close();
    Assertions.assertThatThrownBy(() -> log.record(new AuditEvent.AccessDenied(FROM, "alice", "manager", "ROLE_MISSING")))
        .isInstanceOf(AuditUnavailable.class);
    assertThat(meters.scrape()).contains("gatehouse_audit_events_total{event=\"AccessDenied\"} 1.0");
  }
}
