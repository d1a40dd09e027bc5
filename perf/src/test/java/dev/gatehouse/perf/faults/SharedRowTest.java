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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    Map<String, Integer> facts = fault.kinds().stream().collect(Collectors.toMap(kind -> kind, kind -> 7));
    return SharedRow.of(
        fault, "commit", new FaultRow(new Requested(100, 2, 50), gaps, facts, 5, judged, List.of(served), List.of(), Map.of()));
  }

  private static List<String> broken(SharedFault fault, Judged judged, Gaps gaps) {
    return broken(fault, judged, gaps, SHORT);
  }

  private static List<String> broken(SharedFault fault, Judged judged, Gaps gaps, Duration... served) {
    return row(fault, judged, gaps, served).broken(fault);
  }

  private static List<String> broken(SharedFault fault, int checks, int ended, Map<String, Integer> facts) {
    FaultRow row = new FaultRow(new Requested(100, 2, checks), SHORT_GAPS, facts, ended, RIGHT, List.of(SHORT), List.of(), Map.of());
    return SharedRow.of(fault, "commit", row).broken(fault);
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

  @ParameterizedTest
  @EnumSource
  void aRowWhoseLoadDidNothingProvesNothing(SharedFault fault) {
    Map<String, Integer> facts = new HashMap<>(row(fault, RIGHT, SHORT_GAPS).facts());
    assertThat(broken(fault, 50, 5, facts)).isEmpty();
    assertThat(broken(fault, 0, 5, facts)).containsExactly("no fact was checked");
    assertThat(broken(fault, 50, 0, facts)).containsExactly("no session was ended since the fault began");
    facts.remove("CONSENT");
    assertThat(broken(fault, 50, 5, facts)).containsExactly("no fact of this kind was acknowledged: CONSENT");
    assertThat(broken(fault, RIGHT, SHORT_GAPS, new Duration[0]))
        .hasSize(fault.name().startsWith("CONFIGURATION") ? 1 : 0)
        .allMatch(line -> line.equals("a configuration was not served by all: not measured"));
  }

  @Test
  void passwordsAreWantedWhereTheDirectoryIsKilledAlone() {
    assertThat(SharedFault.DIRECTORY_KILLED.kinds()).contains("PASSWORD").hasSize(9);
    assertThat(SharedFault.NONE.kinds()).doesNotContain("PASSWORD").hasSize(8);
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
    assertThat(former.broken(SharedFault.NONE))
        .contains(
            "facts were not answered for: not counted", "other work was away: not measured", "no fact was checked",
            "no session was ended since the fault began", "no fact of this kind was acknowledged: LOGOUT")
        .hasSize(4 + 1 + 2 + 7);
    assertThat(SharedRow.failed(SharedFault.NONE, "commit", new IOException("away")).broken(SharedFault.NONE)).hasSize(1);
    assertThat(SharedRow.told("STALE", "what", "commit", "text", 0, 0).broken()).isEmpty();
    assertThat(SharedRow.told("STALE", "what", "commit", "text", 1, 0).broken()).hasSize(1);
  }

  @Test
  void aRowWithoutFactsAndNotesIsInTheTable() throws IOException {
    FaultRow nothing = new FaultRow(new Requested(0, 0, 0), SHORT_GAPS, Map.of(), 0, RIGHT, List.of(), List.of(), Map.of());
    assertThat(SharedTable.of(List.of(SharedRow.of(SharedFault.NONE, "commit", nothing)), Duration.ZERO))
        .contains("| no | commit", "**Not kept:**");
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
