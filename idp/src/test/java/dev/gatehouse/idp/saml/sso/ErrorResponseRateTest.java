package dev.gatehouse.idp.saml.sso;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signed error responses without a session are limited per network. */
final class ErrorResponseRateTest {

  private final TestTime time = new TestTime(Instant.parse("2026-11-22T10:00:00Z"));
  private final ErrorResponseRate rate =
      new ErrorResponseRate(
          new Refusals(
              new ThymeleafPages(),
              new RefusalLog(
                  new RecordingAuditLog(),
                  new AuditRateLimit(time),
                  new SimpleMeterRegistry().counter("unwritten"),
                  new SecureRandom())),
          time);

  @Test
  void aNetworkHasItsShareAndIsToldForHowLongItHasToWait() {
    for (int i = 0; i < 300; i++) {
      assertThat(refused("2001:db8:1:2::" + i % 10)).isEmpty();
    }
    time.advance(Duration.ofSeconds(20));
    EdgeReply refused = refused("2001:db8:1:2::ffff").orElseThrow();
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers().first("Retry-After")).contains("40");
    assertThat(refused.text()).contains("Too many requests").contains("not locked");
    assertThat(refused("2001:db8:1:3::1")).isEmpty();
    assertThat(refused("192.0.2.1")).isEmpty();
    time.advance(Duration.ofSeconds(40));
    assertThat(refused("2001:db8:1:2::ffff")).isEmpty();
  }

  private Optional<EdgeReply> refused(String address) {
    Realm realm = TestRealms.demo();
    EdgeRequest http =
        new EdgeRequest(
            "GET",
            Origin.of(URI.create(TestRealms.IDP)),
            "/realms/demo/saml/sso",
            "",
            Headers.of("Accept", "text/html"),
            new byte[0],
            InetAddress.ofLiteral(address));
    return rate.refused(new RealmRequest(realm, realm.idp().orElseThrow(), http));
  }
}
