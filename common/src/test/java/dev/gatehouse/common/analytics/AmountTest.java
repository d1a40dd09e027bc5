package dev.gatehouse.common.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.common.metric.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AmountTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void percentilesOfDaysAreThoseOfTheirMinutesAndExactToTheBucket() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeMap<Instant, Histogram> minutes = new TreeMap<>();
      List<Double> all = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        double seconds = Math.exp(random.nextDouble(-9, 2));
        all.add(seconds);
        Instant minute = MIDNIGHT.plus(Duration.ofMinutes(random.nextInt(48 * 60)));
        minutes.computeIfAbsent(minute, at -> new Histogram()).record(Math.round(seconds * 1e9));
      }
      TreeMap<Instant, Amount> byMinute = new TreeMap<>();
      minutes.forEach((at, histogram) -> byMinute.put(at, Amount.durations(histogram.counts(), histogram.seconds())));
      TreeMap<Instant, Amount> byDay = rolledUp(rolledUp(byMinute, Resolution.HOUR), Resolution.DAY);
      assertThat(byDay).hasSize(2);
      Amount whole = sum(byDay);
      assertThat(whole.samples()).isEqualTo(2000);
      assertThat(whole.mean().orElseThrow()).isCloseTo(all.stream().mapToDouble(d -> d).average().orElseThrow(), within(1e-6));
      assertThat(whole.quantile(0.95)).isEqualTo(sum(byMinute).quantile(0.95));
      Collections.sort(all);
      for (double share : new double[] {0.5, 0.9, 0.95, 0.99}) {
        double exact = all.get((int) Math.ceil(share * all.size()) - 1);
        assertThat(bucket(whole.quantile(share).orElseThrow())).as("seed %s, share %s", seed, share).isEqualTo(bucket(exact));
      }
    }
  }

  private static TreeMap<Instant, Amount> rolledUp(TreeMap<Instant, Amount> from, Resolution to) {
    TreeMap<Instant, Amount> sums = new TreeMap<>();
    from.forEach((at, amount) -> sums.merge(to.floor(at), amount, Amount::plus));
    return sums;
  }

  private static Amount sum(TreeMap<Instant, Amount> amounts) {
    return amounts.values().stream().reduce(Amount.NONE, Amount::plus);
  }

  private static int bucket(double seconds) {
    for (int i = 0; i < Amount.BUCKETS; i++) {
      // An interpolated value may lie on the bound.
      if (seconds <= Histogram.BOUNDS.get(i) * (1 + 1e-12)) {
        return i;
      }
    }
    throw new AssertionError(seconds);
  }

  @Test
  void quantilesOfNothingAndOfTheLastBucket() {
    assertThat(Amount.count(7).quantile(0.5)).isEmpty();
    Histogram slow = new Histogram();
    slow.record(Duration.ofHours(1).toNanos());
    assertThat(Amount.durations(slow.counts(), 3600).quantile(0.5)).hasValue(10);
  }

  @Test
  void levelsOfLabelsAreAddedAndTheirPeaksKept() {
    Amount one = Amount.level(10).plus(Amount.level(20));
    Amount other = Amount.level(5);
    Statistics both = Statistics.of(Series.Kind.LEVEL, List.of(one, other));
    assertThat(both.mean()).hasValue(20);
    assertThat(both.peak()).hasValue(25);
    assertThat(Statistics.of(Series.Kind.RATIO, List.of(Amount.part(3, 4), Amount.part(0, 2))).ratio()).hasValue(0.5);
  }

  @Test
  void nodesSeeTheSameLevelAndLabelsAreAddedToTheTotal() {
    List<RollupStore.Row> rows =
        List.of(
            new RollupStore.Row(MIDNIGHT, "app", Amount.level(10).plus(Amount.level(20))),
            new RollupStore.Row(MIDNIGHT, "app", Amount.level(15)),
            new RollupStore.Row(MIDNIGHT, "idp", Amount.level(5)));
    Report byKind = Report.of(Series.Kind.LEVEL, rows, 2);
    assertThat(byKind.lines()).extracting(Report.Line::label).containsExactly("app", "idp");
    assertThat(byKind.lines().getFirst().all().mean()).hasValue(15);
    assertThat(byKind.lines().getFirst().all().peak()).hasValue(20);
    Report total = Report.total(Series.Kind.LEVEL, rows);
    assertThat(total.lines()).singleElement().satisfies(line -> {
      assertThat(line.label()).isEmpty();
      assertThat(line.all().mean()).hasValue(20);
      assertThat(line.points().getFirst().statistics().peak()).hasValue(25);
    });
    assertThat(Report.total(Series.Kind.LEVEL, List.of()).lines()).isEmpty();
  }

  @Test
  void theResolutionFitsTheRange() {
    Instant now = MIDNIGHT.plusSeconds(90);
    assertThat(Resolution.fitting(now.minus(Duration.ofHours(1)), now)).isEqualTo(Resolution.MINUTE);
    assertThat(Resolution.fitting(now.minus(Duration.ofDays(7)), now)).isEqualTo(Resolution.HOUR);
    assertThat(Resolution.fitting(now.minus(Duration.ofDays(365)), now)).isEqualTo(Resolution.DAY);
    for (Resolution resolution : Resolution.values()) {
      Instant from = now.minus(Duration.ofHours(50));
      assertThat(resolution.periods(from, now)).hasSize((int) resolution.count(from, now)).first().isEqualTo(resolution.floor(from));
    }
    assertThat(Resolution.MINUTE.count(now, now.minusSeconds(100))).isZero();
  }

  @Test
  void theLargestLinesAreShownAndTheOthersAddedUp() {
    List<RollupStore.Row> rows = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      rows.add(new RollupStore.Row(MIDNIGHT, "r" + i, Amount.count(i)));
    }
    rows.add(new RollupStore.Row(MIDNIGHT, SeriesKey.OTHER, Amount.count(1000)));
    Report report = Report.of(Series.Kind.COUNT, rows, 2);
    assertThat(report.lines()).extracting(Report.Line::label).containsExactly("r9", "r8", "other");
    assertThat(report.lines().getLast().all().count()).hasValue(1000 + 28);
    assertThat(Report.of(Series.Kind.COUNT, List.of(), 2).lines()).isEmpty();
  }
}
