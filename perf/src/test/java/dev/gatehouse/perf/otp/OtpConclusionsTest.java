package dev.gatehouse.perf.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.otp.OtpCommand.Way;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OtpConclusionsTest {

  /** One CPU second. */
  private static Iteration iteration(Way way, long operations) {
    String row = way.row(100_000);
    List<Iteration.Step> steps = List.of(new Iteration.Step(row, operations, 0, 1, 1, 2, 2, 3));
    List<Iteration.Cost> costs = List.of(new Iteration.Cost(OtpServer.ASIDE, 1, 100));
    return new Iteration(OtpServer.ASIDE, row, Phase.MEASUREMENT, 1, 1, operations, steps, costs, false);
  }

  private static WireBytes bytes(Way way) {
    WireBytes counted = new WireBytes();
    if (way == Way.OFFLINE_3 || way == Way.OFFLINE_30) {
      counted.add(100 + way.days() * 7_680);
    }
    return counted;
  }

  @Test
  void daysWithoutAServerAreAmongWhatWasWanted() {
    Map<Way, WireBytes> bytes = new EnumMap<>(Way.class);
    Arrays.stream(Way.values()).forEach(way -> bytes.put(way, bytes(way)));
    List<Iteration> rows =
        List.of(iteration(Way.REST_CERTIFICATE, 8_000), iteration(Way.OFFLINE_1, 4_000), iteration(Way.OFFLINE_3, 2_000), iteration(Way.OFFLINE_30, 500));
    String wanted =
        new OtpConclusions(rows, new OtpConclusions.Beside(bytes, Optional.empty(), List.of(), Optional.empty())).markdown().split("\n## ")[1];
    assertThat(wanted)
        .startsWith("What was wanted")
        .contains("| CPU of a first download of 1 offline days, ms | 0.125 | reported |", "of 30 offline days, ms | 1.875 | reported |")
        .contains("| bytes of each further offline day | 7,680 | 48,464 |");
  }
}
