package dev.gatehouse.gateway.console.overview;

import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Report;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.analytics.Statistics;
import dev.gatehouse.common.analytics.collect.Analytics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The rates of the last hour, of all nodes: each as a figure of the last five whole minutes, and as a small drawn line of the hour. */
public final class OverviewRates {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LATELY = Duration.ofMinutes(5);
  private static final String SERVER_ERRORS = "5xx";

  /** Whoever may read more realms without all of them sees the rates of the first ones. */
  private static final int MOST_REALMS = 50;

  /**
   * A rate.
   *
   * @param word of its title: logins, login-failures, requests, durations or errors
   * @param lately the figure of the last minutes with its unit
   * @param more a second figure: of durations the 95th percentile, otherwise how often it happened in the hour
   * @param points of the drawn line
   * @param series what the page of charts shows of it
   * @param needsAttention whether requests fail
   */
  public record Rate(String word, String lately, String more, String points, String series, boolean needsAttention) {}

  /** What happened in the hour, by minute. */
  private record Hour(Map<Instant, Statistics> minutes, Optional<Statistics> all, Optional<Statistics> lately) {

    long count() {
      return count(all);
    }

    long latelyCount() {
      return count(lately);
    }

    private static long count(Optional<Statistics> statistics) {
      return statistics.map(known -> known.count().orElse(0)).orElse(0L);
    }
  }

  private final Analytics analytics;
  private final InstantSource time;

  public OverviewRates(Analytics analytics, InstantSource time) {
    this.analytics = analytics;
    this.time = time;
  }

  /**
   * Returns the rates.
   *
   * @param realms empty for all realms
   * @param language as {@code de}
   */
  public List<Rate> of(Optional<List<String>> realms, String language) {
    List<String> names = realms.map(some -> some.stream().limit(MOST_REALMS).toList()).orElse(List.of(SeriesKey.ALL_REALMS));
    Instant to = Resolution.MINUTE.floor(time.instant());
    Locale locale = Locale.of(language);
    Hour requests = hour(names, Series.REQUESTS, Dimension.TOTAL, to);
    return List.of(
        counted("logins", Series.LOGINS, hour(names, Series.LOGINS, Dimension.TOTAL, to), to, locale),
        counted("login-failures", Series.LOGIN_FAILURES, hour(names, Series.LOGIN_FAILURES, Dimension.TOTAL, to), to, locale),
        counted("requests", Series.REQUESTS, requests, to, locale),
        durations(requests, to, locale),
        errors(requests, hour(names, Series.REQUESTS, Dimension.STATUS, to), to, locale));
  }

  /** Of statuses only those of errors of the server count. */
  private Hour hour(List<String> realms, Series series, Dimension by, Instant to) {
    List<RollupStore.Row> rows =
        realms.stream()
            .flatMap(realm -> analytics.store().read(Resolution.MINUTE, series, realm, by, to.minus(HOUR), to).stream())
            .filter(row -> by == Dimension.TOTAL || row.label().equals(SERVER_ERRORS))
            .toList();
    List<RollupStore.Row> lately = rows.stream().filter(row -> !row.at().isBefore(to.minus(LATELY))).toList();
    Map<Instant, Statistics> minutes = new HashMap<>();
    List<Report.Line> lines = Report.of(series.kind(), rows, 1).lines();
    lines.stream().flatMap(line -> line.points().stream()).forEach(point -> minutes.put(point.at(), point.statistics()));
    return new Hour(
        minutes,
        lines.stream().findFirst().map(Report.Line::all),
        Report.of(series.kind(), lately, 1).lines().stream().findFirst().map(Report.Line::all));
  }

  private static Rate counted(String word, Series series, Hour hour, Instant to, Locale locale) {
    String perSecond = String.format(locale, "%.2f /s", (double) hour.latelyCount() / LATELY.toSeconds());
    return new Rate(word, perSecond, number(hour.count(), locale), line(hour, to, OverviewRates::count), series.word(), false);
  }

  private static Rate durations(Hour requests, Instant to, Locale locale) {
    OptionalDouble none = OptionalDouble.empty();
    return new Rate(
        "durations",
        millis(requests.lately().map(Statistics::p50).orElse(none), locale),
        millis(requests.lately().map(Statistics::p95).orElse(none), locale),
        line(requests, to, statistics -> statistics.p95().orElse(0)),
        Series.REQUESTS.word(),
        false);
  }

  private static Rate errors(Hour requests, Hour failed, Instant to, Locale locale) {
    double share = requests.latelyCount() == 0 ? 0 : 100.0 * failed.latelyCount() / requests.latelyCount();
    return new Rate(
        "errors", String.format(locale, "%.1f %%", share), number(failed.count(), locale), line(failed, to, OverviewRates::count),
        Series.REQUESTS.word(), failed.latelyCount() > 0);
  }

  private static double count(Statistics statistics) {
    return statistics.count().orElse(0);
  }

  private static String line(Hour hour, Instant to, ToDoubleFunction<Statistics> value) {
    return SparkLine.of(
        Resolution.MINUTE.periods(to.minus(HOUR), to).stream()
            .map(minute -> hour.minutes().containsKey(minute) ? value.applyAsDouble(hour.minutes().get(minute)) : 0.0)
            .toList());
  }

  private static String number(long count, Locale locale) {
    return String.format(locale, "%,d", count);
  }

  private static String millis(OptionalDouble seconds, Locale locale) {
    return seconds.isPresent() ? String.format(locale, "%.1f ms", seconds.getAsDouble() * 1000) : "–";
  }
}
