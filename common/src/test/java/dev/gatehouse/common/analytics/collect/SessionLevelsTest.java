package dev.gatehouse.common.analytics.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Report;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.PlainSession;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.SessionCount;
import dev.gatehouse.common.store.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The chart of sessions has what real stores count, by way of the metric that a node publishes. */
@Timeout(60)
class SessionLevelsTest {

  @TempDir Path folder;
  private final TestTime time = new TestTime();
  private final RocksStores stores = RocksStores.inMemory(time);
  private final SessionStore<PlainSession> atApps = stores.sessions("app", PlainSession.CODEC);
  private final SessionStore<PlainSession> atIdp = stores.sessions("idp-sessions", PlainSession.CODEC);
  private final SessionCount apps = new SessionCount("app", atApps::count);
  private final SessionCount idp = new SessionCount("idp", atIdp::count);
  private final Database database = Database.inMemory();
  private final RollupStore rollups = new JdbcRollups(database);
  private JsonLinesAuditLog log;

  @BeforeEach
  void open() {
    log = new JsonLinesAuditLog(folder, Optional.of(folder.resolve("head")), 50_000, Duration.ofDays(30), time);
    for (int i = 0; i < 5; i++) {
      atApps.create(session("app" + i));
    }
    atIdp.create(session("idp"));
  }

  @AfterEach
  void close() {
    log.close();
    database.close();
    stores.close();
  }

  /** Has three index keys besides its own: nobody can tell from the keys of a store how many sessions it has. */
  private static PlainSession session(String id) {
    return new PlainSession(
        new SessionId(id), "demo", new PersonId("alice"), TestTime.START, TestTime.START.plus(Duration.ofHours(1)),
        Set.of("first", "second", "third"), 0);
  }

  /** Analytics of a node with stores for some kinds. */
  private Analytics node(int number, SessionCount... counts) {
    MetricFamilies metrics = MetricFamilies.unpublished();
    SessionCount.publish(List.of(counts), metrics);
    Analytics.Sources sources =
        new Analytics.Sources(
            log, new AuditSegments(folder, Optional.empty()), metrics, () -> new CacheCounts(0, 0), Places.none(), () -> false);
    return new Analytics(() -> number, sources, rollups, new JdbcPatterns(database), AnalyticsNodeConfig.USUAL, time);
  }

  /** Each looks twice; the sums are stored at the second time. */
  private void look(Analytics... nodes) throws IOException {
    for (Analytics node : nodes) {
      node.follow();
    }
    time.advance(Duration.ofSeconds(10));
    for (Analytics node : nodes) {
      node.follow();
    }
  }

  private List<RollupStore.Row> kinds() {
    return rollups.read(Resolution.DAY, Series.SESSIONS, SeriesKey.ALL_REALMS, Dimension.KIND, Instant.EPOCH, time.instant());
  }

  private Report.Line total() {
    return Report.total(Series.Kind.LEVEL, kinds()).lines().getFirst();
  }

  @Test
  void theChartHasTheNumbersThatTheStoresCount() throws IOException {
    Analytics node = node(3, apps, idp);
    look(node);
    assertThat(Report.of(Series.Kind.LEVEL, kinds(), 5).lines())
        .extracting(Report.Line::label, line -> line.all().mean().orElse(-1))
        .containsExactly(Tuple.tuple("app", 5.0), Tuple.tuple("idp", 1.0));
    assertThat(total().all().mean()).hasValue(6);
    assertThat(atApps.end(new SessionId("app0"))).isPresent();
    look(node);
    assertThat(node.live(Series.SESSIONS, SeriesKey.ALL_REALMS).getLast().amount().peak()).isEqualTo(5);
    assertThat(total().all().peak()).hasValue(6);
  }

  @Test
  void nodesThatShareStoresAreNotAddedUp() throws IOException {
    look(node(1, apps, idp), node(2, apps, idp), node(3, apps));
    assertThat(kinds()).as("rows of kinds and nodes").hasSize(5);
    assertThat(total().all().mean()).hasValue(6);
    assertThat(total().all().peak()).hasValue(6);
    assertThat(total().points()).singleElement().satisfies(point -> assertThat(point.statistics().mean()).hasValue(6));
  }

  @Test
  void nodesOfDifferentRolesHaveTheTotalTogether() throws IOException {
    look(node(1, apps), node(2, idp));
    assertThat(total().all().mean()).hasValue(6);
  }

  @Test
  void whileAStoreCannotBeAskedNoNumberIsKnownAndNoneIsZero() throws IOException {
    AtomicBoolean away = new AtomicBoolean(true);
    SessionCount shared =
        new SessionCount(
            "idp",
            () -> {
              if (away.get()) {
                throw new StoreUnavailable("Valkey is not used");
              }
              return atIdp.count();
            });
    SampleFamily metric = SessionCount.publish(List.of(apps, shared), MetricFamilies.unpublished());
    assertThat(metric.samples()).isEmpty();
    Analytics node = node(1, apps, shared);
    look(node);
    assertThat(kinds()).isEmpty();
    assertThat(node.live(Series.SESSIONS, SeriesKey.ALL_REALMS)).isEmpty();
    away.set(false);
    assertThat(metric.samples()).containsOnlyKeys(List.of("app"), List.of("idp"));
    look(node);
    assertThat(total().all().mean()).hasValue(6);
  }
}
