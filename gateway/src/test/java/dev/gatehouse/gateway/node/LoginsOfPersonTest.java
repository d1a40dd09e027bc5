package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.analytics.collect.CacheCounts;
import dev.gatehouse.common.analytics.collect.Places;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginsOfPersonTest {

  private static final PersonReference ALICE = new PersonReference("p-1", "alice");

  @TempDir Path folder;
  private final TestTime time = new TestTime();

  @Test
  void theLoginsOfAPersonAndPatternsAboutThemAreExportedAndErased() throws IOException {
    try (Database database = Database.inMemory();
        JsonLinesAuditLog log = new JsonLinesAuditLog(folder, Optional.of(folder.resolve("head")), 50_000, Duration.ofDays(1), time)) {
      Analytics analytics = analytics(database, log);
      analytics.follow();
      log.record(new AuditEvent.LoginSucceeded(context("192.0.2.1"), "p-1", "alice", "password", "s"));
      log.record(new AuditEvent.LoginRefused(context("203.0.113.9"), "Alice", "password", "WRONG_PASSWORD"));
      log.record(new AuditEvent.LoginSucceeded(context("192.0.2.1"), "p-2", "bob", "password", "s"));
      time.advance(Duration.ofSeconds(10));
      analytics.follow();
      Pattern about =
          new Pattern("1", Pattern.Kind.IMPOSSIBLE_TRAVEL, "demo", "alice", 0, TestTime.START, TestTime.START, 900, List.of());
      analytics.patterns().keep(about, 10);
      LoginsOfPerson logins = new LoginsOfPerson(analytics);
      assertThat(logins.ofPerson("demo", ALICE))
          .isEqualTo(
              Map.of(
                  "recentLogins",
                  List.of(
                      Map.of("at", TestTime.START, "succeeded", false),
                      Map.of("at", TestTime.START, "succeeded", true, "address", "192.0.2.1")),
                  "unusualLogins",
                  List.of(Map.of("kind", "impossible-travel", "firstAt", TestTime.START, "lastAt", TestTime.START))));
      assertThat(logins.erase("demo", ALICE, "ops")).isEqualTo(Map.of("recentLogins", 2, "unusualLogins", 1));
      assertThat(logins.ofPerson("demo", ALICE)).isEqualTo(Map.of("recentLogins", List.of(), "unusualLogins", List.of()));
      assertThat(logins.ofPerson("demo", new PersonReference("p-2", "bob")).get("recentLogins")).hasSize(1);
      analytics.close();
    }
  }

  private static AuditEvent.Context context(String address) {
    return new AuditEvent.Context("demo", address, Optional.empty());
  }

  private Analytics analytics(Database database, JsonLinesAuditLog log) {
    AuditSegments segments = new AuditSegments(folder, Optional.empty());
    Analytics.Sources sources =
        new Analytics.Sources(log, segments, MetricFamilies.unpublished(), () -> new CacheCounts(0, 0), Places.none(), () -> false);
    return new Analytics(() -> 0, sources, new JdbcRollups(database), new JdbcPatterns(database), AnalyticsNodeConfig.USUAL, time);
  }
}
