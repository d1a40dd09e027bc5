package dev.gatehouse.common.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HistogramTest {

  @Test
  void aDurationIsCountedInTheFirstBucketWhoseBoundItDoesNotExceed() {
    for (int i = 0; i < Histogram.BOUNDS.size(); i++) {
      Histogram histogram = new Histogram();
      double bound = Histogram.BOUNDS.get(i);
      boolean last = bound == Double.POSITIVE_INFINITY;
      histogram.record(last ? Duration.ofDays(40).toNanos() : Math.round(bound * 1e9));
      histogram.record(last ? Long.MAX_VALUE / 2 : Math.round(bound * 1e9) - 1);
      assertThat(histogram.counts()[i]).as("at most %s s", bound).isEqualTo(2);
      if (!last) {
        histogram.record(Math.round(bound * 1e9) + 1);
        assertThat(histogram.counts()[i + 1]).as("more than %s s", bound).isEqualTo(1);
      }
    }
  }

  @Test
  void aClockThatGoesBackCountsAsNoTime() {
    Histogram histogram = new Histogram();
    histogram.record(-5);
    assertThat(histogram.counts()[0]).isEqualTo(1);
    assertThat(histogram.seconds()).isZero();
  }

  @Test
  void nothingIsLostBetweenThreads() throws InterruptedException {
    Histogram histogram = new Histogram();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      threads.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < 50_000; i++) {
          histogram.record(1_000_000L * (i % 20));
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(Arrays.stream(histogram.counts()).sum()).isEqualTo(400_000);
    assertThat(histogram.seconds()).isCloseTo(400_000 * 0.0095, within(0.001));
  }

  @Test
  void aFamilyHasItsLabelsAndNoOthers() {
    HistogramFamily family = HistogramFamily.builder("a.duration").tag("route").register(MetricFamilies.unpublished());
    assertThatThrownBy(() -> family.of("a", "b")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("route");
    assertThat(family.of("a")).isSameAs(family.of(List.of("a")));
  }

  private final HistogramFamily requests = HistogramFamily.unread("route", "status");
  private final StatusTimers timers = new StatusTimers(requests, 2);

  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    requests.forEach((labels, histogram) -> counts.put(String.join(" ", labels), Arrays.stream(histogram.counts()).sum()));
    return counts;
  }

  private StatusTimer[] configure(String... routes) {
    StatusTimers.Draft draft = timers.draft();
    StatusTimer[] made = Arrays.stream(routes).map(draft::of).toArray(StatusTimer[]::new);
    draft.commit();
    return made;
  }

  @Test
  void statusesAreCountedByTheirClass() {
    StatusTimer timer = configure("a")[0];
    for (int status : new int[] {101, 200, 204, 302, 404, 499, 503, 599, 0, -1, 99, 600, 1000}) {
      timer.record(status, 1);
    }
    assertThat(counts()).isEqualTo(Map.of("a 1xx", 1L, "a 2xx", 2L, "a 3xx", 1L, "a 4xx", 2L, "a 5xx", 2L, "a none", 5L));
  }

  @Test
  void routesBeyondTheBoundShareOneTimer() {
    StatusTimer[] made = configure("a", "b", "c", "d", "a");
    for (StatusTimer timer : made) {
      timer.record(200, 1);
    }
    assertThat(counts()).isEqualTo(Map.of("a 2xx", 2L, "b 2xx", 1L, "other 2xx", 2L));
  }

  /** A name of the configuration cannot take the place of ours, which would make one series appear twice. */
  @Test
  void aRouteWithTheNameOfTheOthersIsOneOfThem() {
    for (StatusTimer timer : configure("other", "-", "a")) {
      timer.record(200, 1);
    }
    timers.none().record(400, 1);
    assertThat(counts()).isEqualTo(Map.of("other 2xx", 2L, "a 2xx", 1L, "- 4xx", 1L));
  }

  @Test
  void aNewConfigurationKeepsTheCountsOfWhatItStillNames() {
    StatusTimer[] before = configure("a", "b");
    before[0].record(200, 1);
    before[1].record(200, 1);
    timers.none().record(404, 1);
    StatusTimer[] after = configure("b", "c");
    after[0].record(200, 1);
    after[1].record(200, 1);
    assertThat(counts()).isEqualTo(Map.of("- 4xx", 1L, "b 2xx", 2L, "c 2xx", 1L));
    // A draft that does not come into use changes nothing.
    timers.draft().of("d").record(200, 1);
    configure("b", "c");
    assertThat(counts()).isEqualTo(Map.of("- 4xx", 1L, "b 2xx", 2L, "c 2xx", 1L));
  }
}
