package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.service.Slope.Sample;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {

  /** One a minute, from the eleventh on. */
  private static List<Sample> samples(int minutes, IntToDoubleFunction value) {
    return IntStream.range(10, minutes).mapToObj(minute -> new Sample(minute, value.applyAsDouble(minute))).toList();
  }

  @Test
  void whatGrowsIsSaid() {
    Growth seen = Growth.of(Watched.HEAP, samples(60, minute -> 100 + minute + minute % 2));
    assertThat(seen.what()).isEqualTo("heap");
    assertThat(seen.judged()).isTrue();
    assertThat(seen.first()).isEqualTo(110);
    assertThat(seen.last()).isEqualTo(160);
    assertThat(seen.anHour()).isCloseTo(60, within(0.5));
    assertThat(seen.grows()).isTrue();
    assertThat(Watched.HEAP.verdict(seen)).isEqualTo("**yes**");
  }

  @Test
  void neitherNoiseNorShrinkingIsGrowth() {
    Growth noise = Growth.of(Watched.THREADS, samples(60, minute -> 50 + minute % 3));
    assertThat(noise.grows()).isFalse();
    assertThat(Watched.THREADS.verdict(noise)).isEqualTo("no");
    assertThat(Growth.of(Watched.FILES, samples(60, minute -> 500 - minute)).grows()).isFalse();
  }

  /** What lives for some minutes goes up and down over some minutes: by the minute alone this would be growth beyond chance. */
  @Test
  void minutesAfterEachOtherAreNotIndependent() {
    List<Sample> waves = samples(60, minute -> 1000 + (minute / 7 % 2 == 0 ? 0 : 20) + minute / 10.0);
    assertThat(Slope.of(waves).anHour()).isGreaterThan(0);
    assertThat(Growth.of(Watched.KEYS, waves).error()).isGreaterThan(Slope.of(waves).percent(Slope.of(waves).error()));
  }

  /** In an hour there are only more and more of them: that says nothing. */
  @Test
  void whatFillsForLongIsNotJudgedBefore() {
    Growth seen = Growth.of(Watched.MARKS, samples(60, minute -> 1000 * Math.min(minute, 135)));
    assertThat(seen.judged()).isFalse();
    assertThat(seen.anHour()).isCloseTo(60_000, within(1e-3));
    assertThat(Watched.MARKS.verdict(seen)).isEqualTo("fills until minute 136");
  }

  @Test
  void onceItIsFullOnlyWhatFollowsCounts() {
    Growth seen = Growth.of(Watched.MARKS, samples(160, minute -> 1000 * Math.min(minute, 135)));
    assertThat(seen.judged()).isTrue();
    assertThat(seen.first()).isEqualTo(135_000);
    assertThat(seen.anHour()).isCloseTo(0, within(1e-6));
    assertThat(Watched.MARKS.verdict(seen)).isEqualTo("no");
  }

  @Test
  void logsGrowByDesign() {
    Growth seen = Growth.of(Watched.LOGS, samples(300, minute -> minute));
    assertThat(seen.judged()).isFalse();
    assertThat(Watched.LOGS.verdict(seen)).isEqualTo("by design");
  }
}
