package dev.gatehouse.perf.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.FaultRow.Gaps;
import dev.gatehouse.common.faults.FaultRow.Judged;
import dev.gatehouse.common.faults.FaultRow.Late;
import dev.gatehouse.common.faults.FaultRow.Requested;
import dev.gatehouse.common.faults.SharedFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Each thing that is not as promised is planted in a row that is right otherwise, and fails it. */
class SharedRowTest {

  private static final Late NONE_LATE = new Late(0, Duration.ZERO);
  private static final Judged RIGHT = new Judged(0, 0, NONE_LATE, 0, 0, false);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Gaps SHORT_GAPS = new Gaps(SHORT, SHORT, SHORT);

  private static SharedRow row(SharedFault fault, Judged judged, Gaps gaps, Duration... served) {
    FaultRow row = new FaultRow(new Requested(100, 2, 50), gaps, Map.of("SESSION", 7), judged, List.of(served), List.of(), Map.of());
    return SharedRow.of(fault, "commit", row);
  }

  private static List<String> broken(SharedFault fault, Judged judged, Gaps gaps, Duration... served) {
    return row(fault, judged, gaps, served).broken(fault.mostGap(), fault.servedWithin());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAsPromisedIsKeptAndEachPlantedDefectIsNot(SharedFault fault) {
    assertThat(broken(fault, RIGHT, SHORT_GAPS, SHORT)).isEmpty();
    assertThat(broken(fault, new Judged(0, 0, new Late(3, Duration.ofMillis(1_900)), 0, 0, false), SHORT_GAPS)).isEmpty();
    assertThat(broken(fault, new Judged(1, 0, NONE_LATE, 0, 0, false), SHORT_GAPS)).containsExactly("facts were lost: 1");
    assertThat(broken(fault, new Judged(0, 1, NONE_LATE, 0, 0, false), SHORT_GAPS)).containsExactly("facts were wrongly accepted: 1");
    assertThat(broken(fault, new Judged(0, 0, NONE_LATE, 1, 0, false), SHORT_GAPS)).containsExactly("facts were not answered for: 1");
    assertThat(broken(fault, new Judged(0, 0, NONE_LATE, 0, 1, false), SHORT_GAPS)).singleElement().asString().contains("errors");
    assertThat(broken(fault, new Judged(0, 0, NONE_LATE, 0, 0, true), SHORT_GAPS)).singleElement().asString().contains("still failed");
    Duration most = fault.mostGap();
    Duration longer = most.plusMillis(1);
    assertThat(broken(fault, RIGHT, new Gaps(most, most, longer))).isEmpty();
    assertThat(broken(fault, RIGHT, new Gaps(longer, SHORT, SHORT))).singleElement().asString().startsWith("pages were away");
    assertThat(broken(fault, RIGHT, new Gaps(SHORT, longer, SHORT))).singleElement().asString().startsWith("other work was away");
    Duration slow = fault.servedWithin().plusMillis(1);
    assertThat(broken(fault, RIGHT, SHORT_GAPS, SHORT, SHORT, slow)).singleElement().asString().startsWith("a configuration");
  }

  @Test
  void aNodeThatIsKilledMayBeMissedForTwoSecondsWhicheverItIs() {
    for (SharedFault fault : SharedFault.values()) {
      if (fault.name().endsWith("NODE_KILLED") || fault == SharedFault.LEASE_HOLDER_KILLED) {
        assertThat(fault.mostGap()).as(fault.name()).isEqualTo(Duration.ofSeconds(2));
      }
    }
  }

  @Test
  void whatWasNotCountedIsNotAsPromised() {
    SharedRow former =
        new SharedRow("NONE", "no fault", "commit", Map.of("lost", 0), Map.of("pageGap", 5L), Map.of("SESSION", 7), List.of(), "");
    assertThat(former.broken(SHORT, SHORT))
        .contains("facts were not answered for: not counted", "other work was away: not measured")
        .hasSize(5);
    assertThat(SharedRow.failed(SharedFault.NONE, "commit", new IOException("away")).broken(SHORT, SHORT)).hasSize(1);
    assertThat(SharedRow.told("STALE", "what", "commit", "text", 0, 0).broken(Duration.ZERO, Duration.ZERO)).isEmpty();
    assertThat(SharedRow.told("STALE", "what", "commit", "text", 1, 0).broken(Duration.ZERO, Duration.ZERO)).hasSize(1);
  }

  @Test
  void theTableSaysWhatWasLateAndWhyARowIsNotKept() throws IOException {
    Judged judged = new Judged(0, 0, new Late(3, Duration.ofMillis(1_900)), 0, 0, false);
    SharedRow late = row(SharedFault.NODE_WITHOUT_VALKEY, judged, SHORT_GAPS);
    SharedRow wrong = row(SharedFault.NONE, new Judged(0, 2, NONE_LATE, 0, 0, false), SHORT_GAPS);
    SharedRow configured = row(SharedFault.CONFIGURATION_APPLIED, RIGHT, SHORT_GAPS, SHORT, Duration.ofMillis(200), Duration.ofMillis(300));
    assertThat(SharedTable.of(List.of(late, wrong, configured), Duration.ZERO))
        .contains("3, up to 1900 ms | 0 | 0 | yes")
        .contains("| no | commit")
        .contains("**Not kept:** no fault: the balancer changes the node at every request: facts were wrongly accepted: 2")
        .contains("200 ms, 300 ms");
  }

  @Test
  void aRowThatDoesNotExistIsRefused(@TempDir Path results) {
    int exit = new CommandLine(new FaultsCommand()).execute("shared", "--row", "no-such-row", "--results", results.toString());
    assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(SharedFaults.names()).containsKeys("node-killed", "stale", "emptied");
  }
}
