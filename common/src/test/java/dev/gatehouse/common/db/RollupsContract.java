package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.metric.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of {@link RollupStore} on every kind of database. */
abstract class RollupsContract {

  private static final Instant START = TestTime.START;
  private static final SeriesKey LOGINS = SeriesKey.total(Series.LOGINS, "demo");

  /** Returns an empty store; the same one during a test. */
  protected abstract RollupStore rollups();

  private List<RollupStore.Row> read(Resolution resolution, Series series) {
    return rollups().read(resolution, series, "demo", Dimension.TOTAL, Instant.EPOCH, START.plus(Duration.ofDays(9)));
  }

  private static Batch batch(long number, Instant at, SeriesKey key, Amount amount) {
    return new Batch(number, number * 10, Map.of(at, Map.of(key, amount)), List.of());
  }

  @Test
  void aBatchIsAddedOnceInThreeResolutions() {
    rollups().begin(1, 7);
    assertThat(rollups().progress(1)).contains(new RollupStore.Progress(0, 7));
    assertThat(rollups().progress(2)).isEmpty();
    rollups().add(1, batch(1, START, LOGINS, Amount.count(3)));
    rollups().add(1, batch(1, START, LOGINS, Amount.count(3)));
    rollups().add(1, batch(2, START.plusSeconds(60), LOGINS, Amount.count(4)));
    assertThat(rollups().progress(1)).contains(new RollupStore.Progress(2, 20));
    assertThat(read(Resolution.MINUTE, Series.LOGINS)).extracting(row -> row.amount().samples()).containsExactly(3L, 4L);
    assertThat(read(Resolution.DAY, Series.LOGINS)).singleElement().satisfies(row -> {
      assertThat(row.at()).isEqualTo(START.truncatedTo(java.time.temporal.ChronoUnit.DAYS));
      assertThat(row.amount().samples()).isEqualTo(7);
    });
    rollups().drop(Resolution.MINUTE, START.plusSeconds(60));
    assertThat(read(Resolution.MINUTE, Series.LOGINS)).hasSize(1);
    assertThat(read(Resolution.HOUR, Series.LOGINS)).hasSize(1);
    rollups().begin(2, 7);
    rollups().add(2, batch(1, START, LOGINS, Amount.count(5)));
    assertThat(read(Resolution.DAY, Series.LOGINS)).as("a row for each node")
        .extracting(row -> row.amount().samples()).containsExactlyInAnyOrder(7L, 5L);
  }

  @Test
  void durationsAndLongLabelsAreStoredAsTheyAre() {
    Histogram requests = new Histogram();
    requests.record(Duration.ofMillis(40).toNanos());
    rollups().begin(1, 0);
    SeriesKey total = SeriesKey.total(Series.REQUESTS, "demo");
    rollups().add(1, batch(1, START, total, Amount.durations(requests.counts(), requests.seconds())));
    rollups().add(1, batch(2, START, total, Amount.durations(requests.counts(), requests.seconds())));
    assertThat(read(Resolution.HOUR, Series.REQUESTS)).singleElement().satisfies(row -> {
      assertThat(row.amount().total()).isEqualTo(0.08);
      assertThat(row.amount().quantile(0.5).orElseThrow()).isBetween(0.025, 0.05);
    });
    String label = "ä\uD83D\uDE00\0".repeat(300);
    SeriesKey key = SeriesKey.of(Series.TOKENS, "demo", Dimension.CLIENT, label);
    rollups().add(1, batch(3, START, key, Amount.count(1)));
    assertThat(rollups().read(Resolution.DAY, Series.TOKENS, "demo", Dimension.CLIENT, Instant.EPOCH, START.plusSeconds(1)))
        .singleElement().satisfies(row -> assertThat(row.label()).isEqualTo(key.label()));
  }
}
