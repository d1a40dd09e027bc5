package dev.gatehouse.common.analytics.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.Report;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import dev.gatehouse.common.store.SessionCount;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A real audit log, real metrics and a real database. */
@Timeout(120)
class AnalyticsTest {

  private static final Instant START = TestTime.START;
  private static final String ALL = SeriesKey.ALL_REALMS;

  private static final Database DATABASE = Database.inMemory();

  @TempDir Path folder;
  private final TestTime time = new TestTime();
  private final AtomicBoolean isPaused = new AtomicBoolean();
  private final AtomicReference<CacheCounts> cache = new AtomicReference<>(new CacheCounts(0, 0));
  private final MetricFamilies metrics = MetricFamilies.unpublished();
  private final JdbcRollups store = new JdbcRollups(DATABASE);
  private final AtomicInteger number = new AtomicInteger(3);
  private JsonLinesAuditLog log;

  @BeforeEach
  void open() {
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    List.of("analytics_amount", "analytics_progress", "analytics_pattern", "recent_login")
        .forEach(table -> sql.sql("delete from " + table).update());
    log = new JsonLinesAuditLog(folder, Optional.of(folder.resolve("head")), 50_000, Duration.ofDays(30), time);
  }

  @AfterEach
  void close() {
    log.close();
  }

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }

  private Analytics analytics(RollupStore rollups, InstantSource clock) {
    AuditSegments segments = new AuditSegments(folder, Optional.empty());
    Analytics.Sources sources = new Analytics.Sources(log, segments, metrics, cache::get, Places.none(), isPaused::get);
    return new Analytics(number::get, sources, rollups, new JdbcPatterns(DATABASE), AnalyticsNodeConfig.USUAL, clock);
  }

  private Analytics begun(RollupStore rollups) throws IOException {
    Analytics analytics = analytics(rollups, time);
    analytics.follow();
    return analytics;
  }

  private void logIn(String realm, String name) {
    log.record(new AuditEvent.LoginSucceeded(new Context(realm, "192.0.2.1", Optional.empty()), name, name, "password", "s"));
  }

  private void refuse(String realm, String reason) {
    refuse(realm, reason, "bob");
  }

  private void refuse(String realm, String reason, String name) {
    log.record(new AuditEvent.LoginRefused(new Context(realm, "192.0.2.1", Optional.empty()), name, "password", reason));
  }

  private long count(Resolution resolution, Series series, String realm, Dimension by, String label) {
    return store.read(resolution, series, realm, by, Instant.EPOCH, START.plus(Duration.ofDays(4000))).stream()
        .filter(row -> row.label().equals(label))
        .mapToLong(row -> row.amount().samples())
        .sum();
  }

  private List<RollupStore.Row> ofDays(Series series, Dimension by) {
    return store.read(Resolution.DAY, series, ALL, by, Instant.EPOCH, time.instant());
  }

  private void pass(Analytics analytics, Duration by) throws IOException {
    time.advance(by);
    analytics.follow();
    analytics.lookForPatterns();
  }

  @Test
  void eventsAreCountedInTheirMinuteHourAndDayForTheirRealmAndForAll() throws IOException {
    Analytics analytics = begun(store);
    logIn("demo", "alice");
    refuse("demo", "WRONG_PASSWORD");
    time.advance(Duration.ofMinutes(1));
    logIn("demo", "bob");
    logIn("other", "carol");
    log.record(new AuditEvent.TokensIssued(new Context("demo", "-", Optional.empty()), "app", "refresh_token", "p", "t", "openid"));
    log.record(new AuditEvent.AssertionIssued(new Context("demo", "-", Optional.empty()), "p", "https://sp.example", "a", "s"));
    pass(analytics, Duration.ofSeconds(10));

    assertThat(store.read(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, START, START.plusSeconds(600)))
        .extracting(RollupStore.Row::at, row -> row.amount().samples())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(START, 1L), org.assertj.core.groups.Tuple.tuple(START.plusSeconds(60), 1L));
    for (Resolution resolution : Resolution.values()) {
      assertThat(count(resolution, Series.LOGINS, ALL, Dimension.TOTAL, "")).isEqualTo(3);
      assertThat(count(resolution, Series.LOGINS, ALL, Dimension.REALM, "other")).isEqualTo(1);
      assertThat(count(resolution, Series.LOGIN_FAILURES, "demo", Dimension.REASON, "WRONG_PASSWORD")).isEqualTo(1);
      assertThat(count(resolution, Series.TOKENS, "demo", Dimension.CLIENT, "app")).isEqualTo(1);
      assertThat(count(resolution, Series.ASSERTIONS, ALL, Dimension.PARTNER, "https://sp.example")).isEqualTo(1);
    }
    assertThat(analytics.storedUpTo()).isEqualTo(time.instant());
  }

  @Test
  void aRestartOrAKilledProcessCountsEachEventOnce() throws IOException {
    Analytics killed = begun(store);
    for (int i = 0; i < 700; i++) {
      logIn("demo", "person" + i);
      if (i == 300) {
        pass(killed, Duration.ofSeconds(10));
      }
    }
    // What was read, but not stored, is gone with the process.
    pass(killed, Duration.ofSeconds(1));
    Analytics next = begun(store);
    pass(next, Duration.ofSeconds(10));
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(700);
    logIn("demo", "last");
    next.close();
    begun(store).close();
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(701);
  }

  @Test
  void aNodeThatGetsAnotherNumberCountsOnUnderIt() throws IOException {
    store.begin(9, Long.MAX_VALUE);
    Analytics analytics = begun(store);
    logIn("demo", "alice");
    pass(analytics, Duration.ofSeconds(10));
    // Another node has the number by now, and counts under it.
    number.set(9);
    long batches = store.progress(3).orElseThrow().batches();
    logIn("demo", "bob");
    pass(analytics, Duration.ofSeconds(10));
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(2);
    assertThat(store.progress(3).orElseThrow().batches()).isEqualTo(batches);
    assertThat(store.progress(9).orElseThrow().followed()).isEqualTo(log.written());
    logIn("demo", "carol");
    analytics.close();
    begun(store).close();
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(3);
  }

  @Test
  void aPatternIsNoticedAcrossARestart() throws IOException {
    Analytics first = begun(store);
    for (int i = 0; i < 6; i++) {
      refuse("demo", "WRONG_PASSWORD", "person" + i);
    }
    pass(first, Duration.ofSeconds(10));
    first.close();
    Analytics next = begun(store);
    for (int i = 6; i < 11; i++) {
      refuse("demo", "WRONG_PASSWORD", "person" + i);
    }
    pass(next, Duration.ofSeconds(10));
    assertThat(next.patterns().patterns(Optional.of("demo"), START, time.instant(), 10))
        .singleElement().satisfies(found -> assertThat(found.count()).isEqualTo(11));
    refuse("demo", "WRONG_PASSWORD", "person3");
    next.follow();
    PatternStore.Erased erased = new PatternStore.Erased("demo", "id", "person3");
    PatternStore.Erased other = new PatternStore.Erased("demo", "id", "person4");
    assertThat(next.erase(erased).logins()).as("another one is not stored yet").hasSize(1);
    pass(next, Duration.ofSeconds(10));
    assertThat(next.patterns().ofPerson(erased).logins()).isEmpty();
    assertThat(next.patterns().ofPerson(other).logins()).hasSize(1);
    pass(next, Duration.ofMinutes(71));
    assertThat(next.patterns().ofPerson(other).logins()).isEmpty();
    assertThat(next.patterns().patterns(Optional.of("demo"), START, time.instant(), 10)).hasSize(1);
    pass(next, Duration.ofDays(31));
    assertThat(next.patterns().patterns(Optional.of("demo"), START, time.instant(), 10)).isEmpty();
  }

  @Test
  void aBatchWhoseOutcomeIsNotKnownCountsOnce() throws IOException {
    AtomicBoolean fails = new AtomicBoolean(true);
    Analytics analytics = begun(new Unsure(store, fails, true));
    logIn("demo", "alice");
    assertThatThrownBy(() -> pass(analytics, Duration.ofSeconds(10))).hasMessage("connection lost");
    logIn("demo", "bob");
    fails.set(false);
    pass(analytics, Duration.ofSeconds(10));
    assertThat(count(Resolution.HOUR, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(2);
    assertThat(analytics.patterns().ofPerson(new PatternStore.Erased("demo", "alice", "alice")).logins()).hasSize(1);
  }

  @Test
  void aBatchThatIsTriedAgainHasNoLoginOfSomebodyErasedMeanwhile() throws IOException {
    AtomicBoolean fails = new AtomicBoolean(true);
    Analytics analytics = begun(new Unsure(store, fails, false));
    logIn("demo", "alice");
    logIn("demo", "bob");
    assertThatThrownBy(() -> pass(analytics, Duration.ofSeconds(10))).hasMessage("connection lost");
    PatternStore.Erased alice = new PatternStore.Erased("demo", "alice", "alice");
    analytics.erase(alice);
    fails.set(false);
    pass(analytics, Duration.ofSeconds(10));
    assertThat(count(Resolution.HOUR, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(2);
    assertThat(analytics.patterns().ofPerson(alice).logins()).isEmpty();
    assertThat(analytics.patterns().ofPerson(new PatternStore.Erased("demo", "bob", "bob")).logins()).hasSize(1);
  }

  /** Fails, and may have added the batch nevertheless. */
  private record Unsure(RollupStore store, AtomicBoolean fails, boolean adds) implements RollupStore {
    @Override
    public Optional<Progress> progress(int node) {
      return store.progress(node);
    }

    @Override
    public void begin(int node, long followed) {
      store.begin(node, followed);
    }

    @Override
    public void add(int node, Batch batch) {
      if (adds || !fails.get()) {
        store.add(node, batch);
      }
      if (fails.get()) {
        throw new IllegalStateException("connection lost");
      }
    }

    @Override
    public List<Row> read(Resolution resolution, Series series, String realm, Dimension dimension, Instant from, Instant to) {
      return store.read(resolution, series, realm, dimension, from, to);
    }

    @Override
    public void drop(Resolution resolution, Instant before) {
      store.drop(resolution, before);
    }
  }

  @Test
  void onAFullDiskCountingGoesOnAndAllIsStoredLater() throws IOException {
    Analytics analytics = begun(store);
    isPaused.set(true);
    for (int i = 0; i < 90; i++) {
      logIn("demo", "alice");
      pass(analytics, Duration.ofMinutes(1));
      assertThat(analytics.storedUpTo()).isEqualTo(START);
    }
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isZero();
    isPaused.set(false);
    pass(analytics, Duration.ofSeconds(10));
    pass(analytics, Duration.ofSeconds(10));
    assertThat(count(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(90);
    assertThat(store.read(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, START, time.instant())).hasSize(90);
  }

  @Test
  void aClockThatGoesBackLosesAndDoublesNothing() throws IOException {
    Analytics analytics = begun(store);
    logIn("demo", "alice");
    pass(analytics, Duration.ofSeconds(20));
    time.advance(Duration.ofHours(-2));
    logIn("demo", "alice");
    analytics.follow();
    assertThat(analytics.live(Series.LOGINS, "demo")).singleElement().satisfies(row -> assertThat(row.amount().samples()).isEqualTo(1));
    pass(analytics, Duration.ofSeconds(10));
    assertThat(store.read(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, Instant.EPOCH, START.plusSeconds(600)))
        .extracting(RollupStore.Row::at)
        .containsExactly(START.minus(Duration.ofHours(2)).plusSeconds(0), START);
  }

  @Test
  void aLogThatWasReplacedIsCountedFromItsEnd() throws IOException {
    store.begin(3, 1_000_000);
    logIn("demo", "alice");
    Analytics analytics = begun(store);
    logIn("demo", "bob");
    pass(analytics, Duration.ofSeconds(10));
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(1);
  }

  @Test
  void tenThousandRoutesHaveFiftyLinesAndOneOfAllOthers() throws IOException {
    HistogramFamily requests =
        HistogramFamily.builder("gatehouse.gateway.request.duration")
            .tag("realm").tag("route").tag("upstream").tag("status").register(metrics);
    Analytics analytics = begun(store);
    for (int i = 0; i < 10_000; i++) {
      requests.of("demo", "route" + i, "-", "2xx").record(1_000_000);
    }
    requests.of("demo", "busy", "-", "2xx").record(1);
    requests.of("demo", "busy", "-", "2xx").record(1);
    pass(analytics, Duration.ofSeconds(10));
    for (int i = 0; i < 10_000; i += 7) {
      requests.of("demo", "route" + i, "-", "5xx").record(1_000_000);
    }
    pass(analytics, Duration.ofSeconds(10));
    List<RollupStore.Row> rows = store.read(Resolution.HOUR, Series.REQUESTS, "demo", Dimension.ROUTE, START, START.plusSeconds(60));
    assertThat(rows).hasSize(51).extracting(RollupStore.Row::label).contains("busy", SeriesKey.OTHER);
    assertThat(rows.stream().mapToLong(row -> row.amount().samples()).sum()).isEqualTo(11_431);
    assertThat(count(Resolution.DAY, Series.REQUESTS, ALL, Dimension.STATUS, "5xx")).isEqualTo(1429);
  }

  @Test
  void whatMetricsMeasuredIsAddedOnce() throws IOException {
    HistogramFamily apps =
        HistogramFamily.builder("gatehouse.gateway.upstream.duration").tag("upstream").tag("status").register(metrics);
    Analytics analytics = begun(store);
    apps.of("10.0.0.1:80", "2xx").record(Duration.ofMillis(7).toNanos());
    cache.set(new CacheCounts(3, 1));
    pass(analytics, Duration.ofSeconds(10));
    pass(analytics, Duration.ofSeconds(10));
    Report report = Report.of(Series.Kind.DURATION, ofDays(Series.APP_RESPONSES, Dimension.SERVER), 5);
    assertThat(report.lines()).singleElement().satisfies(line -> {
      assertThat(line.label()).isEqualTo("10.0.0.1:80");
      assertThat(line.all().count()).hasValue(1);
      assertThat(line.all().mean()).hasValue(0.007);
      assertThat(line.all().p99().orElseThrow()).isBetween(0.005, 0.01);
    });
    assertThat(Report.of(Series.Kind.RATIO, ofDays(Series.CACHE, Dimension.TOTAL), 1)
        .lines().getFirst().all().ratio()).hasValue(0.75);
  }

  @Test
  void aStoreThatFailsToCountItsSessionsHoldsNothingElseBack() throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    HistogramFamily apps = HistogramFamily.builder("gatehouse.gateway.upstream.duration").tag("upstream").tag("status").register(metrics);
    SessionCount broken =
        new SessionCount(
            "app",
            () -> {
              if (fails.get()) {
                throw new IllegalStateException("no space");
              }
              return 0;
            });
    SessionCount.publish(List.of(broken), metrics);
    Analytics analytics = begun(store);
    fails.set(true);
    logIn("demo", "alice");
    apps.of("10.0.0.1:80", "2xx").record(1);
    assertThatThrownBy(() -> pass(analytics, Duration.ofSeconds(10))).hasMessage("no space");
    assertThatThrownBy(() -> pass(analytics, Duration.ofSeconds(10))).hasMessage("no space");
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(1);
    assertThat(count(Resolution.DAY, Series.APP_RESPONSES, ALL, Dimension.TOTAL, "")).isEqualTo(1);
  }

  @Test
  void aYearReadsAsManyRowsAsItHasDays() {
    store.begin(0, 0);
    store.begin(1, 0);
    SeriesKey key = SeriesKey.total(Series.LOGINS, "demo");
    for (int day = 0; day < 400; day += 40) {
      Map<Instant, Map<SeriesKey, Amount>> minutes = new java.util.HashMap<>();
      for (int i = day; i < day + 40; i++) {
        minutes.put(START.minus(Duration.ofDays(i)), Map.of(key, Amount.count(10)));
        minutes.put(START.minus(Duration.ofDays(i)).minusSeconds(60), Map.of(key, Amount.count(10)));
      }
      store.add(day / 40 % 2, new Batch(day / 40 + 1, 0, minutes, List.of()));
    }
    Instant to = START.plusSeconds(60);
    List<RollupStore.Row> year = store.read(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, to.minus(Duration.ofDays(365)), to);
    assertThat(year).hasSizeBetween(364, 366);
    assertThat(Report.of(Series.Kind.COUNT, year, 1).lines().getFirst().points()).hasSize(year.size());
    assertThat(store.read(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, to.minus(Duration.ofHours(1)), to)).hasSize(2);
    store.drop(Resolution.DAY, START.minus(Duration.ofDays(100)));
    assertThat(store.read(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, Instant.EPOCH, to)).hasSize(100);
    assertThat(store.read(Resolution.HOUR, Series.LOGINS, "demo", Dimension.TOTAL, Instant.EPOCH, to)).hasSize(800);
  }

  @Test
  void oldMinutesAreRemovedAndDaysStay() throws IOException {
    Analytics analytics = begun(store);
    logIn("demo", "alice");
    pass(analytics, Duration.ofSeconds(10));
    pass(analytics, Duration.ofDays(3));
    assertThat(count(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, "")).isZero();
    assertThat(count(Resolution.HOUR, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(1);
    pass(analytics, Duration.ofDays(100));
    assertThat(count(Resolution.HOUR, Series.LOGINS, "demo", Dimension.TOTAL, "")).isZero();
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(1);
  }

  @Test
  void theLiveSecondsAreCompleteAtEachLookAtAHundredLoginsASecond() throws IOException {
    Analytics analytics = begun(store);
    for (int half = 1; half <= 120; half++) {
      for (int i = 0; i < 50; i++) {
        logIn("demo", "person" + i);
      }
      analytics.follow();
      long shown = analytics.live(Series.LOGINS, "demo").stream().mapToLong(row -> row.amount().samples()).sum();
      assertThat(shown).isEqualTo(half * 50L);
      time.advance(Duration.ofMillis(500));
    }
    pass(analytics, Analytics.LIVE);
    assertThat(analytics.live(Series.LOGINS, "demo")).isEmpty();
    assertThat(count(Resolution.MINUTE, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(6000);
  }

  @Test
  void theThreadShowsALoginWithinTwoSeconds() throws IOException {
    log.close();
    InstantSource clock = InstantSource.system();
    log = new JsonLinesAuditLog(folder.resolve("now"), 50_000, Duration.ofDays(30), clock);
    AuditSegments segments = new AuditSegments(folder.resolve("now"), Optional.empty());
    Analytics analytics =
        new Analytics(
            () -> 0, new Analytics.Sources(log, segments, metrics, cache::get, Places.none(), () -> false), store,
            new JdbcPatterns(DATABASE), AnalyticsNodeConfig.USUAL, clock);
    analytics.follow();
    try (AnalyticsFollower follower = new AnalyticsFollower(analytics)) {
      long begun = System.nanoTime();
      logIn("demo", "alice");
      Eventually.holds(() -> !analytics.live(Series.LOGINS, "demo").isEmpty());
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
      assertThat(follower).isNotNull();
    }
    assertThat(count(Resolution.DAY, Series.LOGINS, "demo", Dimension.TOTAL, "")).isEqualTo(1);
  }
}
