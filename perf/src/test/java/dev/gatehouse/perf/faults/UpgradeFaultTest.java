package dev.gatehouse.perf.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.FaultRow.Gaps;
import dev.gatehouse.common.faults.FaultRow.Judged;
import dev.gatehouse.common.faults.FaultRow.Late;
import dev.gatehouse.common.faults.FaultRow.Requested;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each thing that is not as promised is planted in a row that is right otherwise. */
class UpgradeFaultTest {

  private static final Late LATE = new Late(0, Duration.ZERO);
  private static final Judged RIGHT = new Judged(0, 0, LATE, 0, 0, false);
  private static final Duration MOST = Duration.ofSeconds(10);

  private static List<String> broken(Judged judged, Duration pages, Duration work, int failed, int checks) {
    return UpgradeFault.broken(
        new FaultRow(
            new Requested(100, failed, checks), new Gaps(pages, work, Duration.ZERO), Map.of("SESSION", 7), 5, judged, List.of(), List.of(),
            Map.of()));
  }

  private static List<String> broken(Judged judged) {
    return broken(judged, MOST, MOST, 0, 50);
  }

  @Test
  void whatIsAsPromisedIsKeptAndEachPlantedDefectIsNot() {
    assertThat(broken(RIGHT)).isEmpty();
    assertThat(broken(new Judged(1, 0, LATE, 0, 0, false))).containsExactly("facts were lost");
    assertThat(broken(new Judged(0, 1, LATE, 0, 0, false))).containsExactly("facts were wrongly accepted");
    assertThat(broken(new Judged(0, 0, LATE, 1, 0, false))).containsExactly("facts were not answered for");
    assertThat(broken(new Judged(0, 0, LATE, 0, 1, false))).singleElement().asString().contains("errors");
    assertThat(broken(new Judged(0, 0, LATE, 0, 0, true))).containsExactly("requests still failed long after");
    assertThat(broken(RIGHT, MOST.plusMillis(1), MOST, 0, 50)).containsExactly("pages were away for longer than 10.0 s");
    assertThat(broken(RIGHT, MOST, MOST.plusMillis(1), 0, 50)).containsExactly("other work was away for longer than 10.0 s");
    assertThat(broken(RIGHT, MOST, MOST, 1, 50)).containsExactly("requests failed");
    assertThat(broken(RIGHT, MOST, MOST, 0, 0)).containsExactly("no fact was checked");
  }
}
