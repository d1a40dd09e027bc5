package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Samples;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the commands say before they measure. */
class AllCommandTest {

  private static final Row LIMITS = AllRows.plan().row("limits").orElseThrow();

  @TempDir private Path folder;

  private Records records = new Records(Path.of(""));
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void open() {
    records = new Records(folder.resolve("all"));
  }

  private int run(Object command, String... arguments) {
    CommandLine line = new CommandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--results";
    all[arguments.length + 1] = folder.toString();
    return line.execute(all);
  }

  @Test
  void theListHasMinutesAndStates() throws Exception {
    records.write(Samples.measured(LIMITS, false, "0000000000ff", Samples.figure("limit.rsa-2048", "per CPU second", 4_000)));
    assertThat(run(new AllCommand(), "--list")).isZero();
    assertThat(out.toString()).containsPattern("limits +2\\.0 min +measured at 0000000000ff +Physical limits of this machine");
    assertThat(out.toString()).containsPattern("s1 +35\\.0 min +not measured");
    assertThat(out.toString()).containsPattern("rows, about \\d+ minutes, of which \\d+ are left, at commit " + MeasuredCommit.here().replace("+", "\\+"));
    assertThat(records.all()).as("listing puts nothing aside").hasSize(1);
  }

  @Test
  void theQuickListNamesWhatItLeavesOut() {
    assertThat(run(new AllCommand(), "--list", "--quick")).isZero();
    assertThat(out.toString()).contains("not in --quick: ").contains("s5-4m");
  }

  @Test
  void aRowThatIsNotThereIsRefused() {
    assertThat(run(new AllCommand(), "--rows", "s7")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no row 's7'; there are limits, s1, ");
    assertThat(run(new AllCommand(), "--quick", "--rows", "s5-4m")).isEqualTo(2);
    assertThat(err.toString()).contains("row 's5-4m' takes too long for --quick");
  }

  @Test
  void resumeDoesNotBeginAnew() throws IOException {
    records.write(Samples.measured(LIMITS, false, "0000000000ff", Samples.figure("limit.rsa-2048", "per CPU second", 4_000)));
    assertThat(run(new AllCommand(), "--resume", "--rows", "limits")).isEqualTo(2);
    assertThat(err.toString()).contains("there is nothing to go on with").contains("0000000000ff");
    assertThat(records.all()).hasSize(1);
  }

  @Test
  void recordsOfAnotherMachineAreNotGoneOnWith() throws Exception {
    String commit = MeasuredCommit.here();
    records.write(Samples.elsewhere(Samples.measured(LIMITS, false, commit, Samples.figure("limit.rsa-2048", "per CPU second", 4_000))));
    assertThat(run(new AllCommand(), "--list")).isZero();
    assertThat(out.toString()).containsPattern("limits +2\\.0 min +measured, other machine or JDK +Physical limits of this machine");
    assertThat(run(new AllCommand(), "--resume", "--rows", "limits")).isEqualTo(2);
    assertThat(err.toString())
        .contains("there is nothing to go on with at commit " + commit + " on this machine (" + Machine.here() + "): there are records of")
        .contains("another machine or JDK (" + Samples.OTHER_MACHINE + "); without --resume they are put aside");
    assertThat(records.all()).hasSize(1);
  }

  @Test
  void theReportIsWrittenAgainWithoutMeasuring() throws IOException {
    Path page = Files.writeString(folder.resolve("sizing.md"), "<!-- bench all: begin -->\n<!-- bench all: end -->\n");
    assertThat(run(new AllCommand(), "--report", "--sizing-page", page.toString())).isZero();
    assertThat(Files.readString(folder.resolve("REPORT.md"))).contains("Nothing was measured yet.");
    assertThat(Files.readString(page)).contains("Nothing was measured yet");
  }

  @Test
  void thereMustBeSomethingToCompareWith() throws IOException {
    assertThat(run(new VerifyCommand(), "limits")).isEqualTo(2);
    assertThat(err.toString()).contains("row 'limits' has no record; ./gatehouse bench all --rows limits makes one");
    assertThat(run(new VerifyCommand(), "s7")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no row 's7'");
    records.write(Samples.failed(LIMITS, "slapd did not start"));
    assertThat(run(new VerifyCommand(), "limits")).isEqualTo(2);
    assertThat(err.toString()).contains("the record of row 'limits' has no figures: slapd did not start");
    Row other =
        new Row("limits", "", "limits", Row.Length.of(1, "limits --rounds 1"), LIMITS.quick(), LIMITS.environment(), LIMITS.taken());
    records.write(Samples.measured(other, false, Samples.COMMIT, Samples.figure("limit.rsa-2048", "per CPU second", 4_000)));
    assertThat(run(new VerifyCommand(), "limits")).isEqualTo(2);
    assertThat(err.toString()).contains("the row has other options now than in its record: ./gatehouse bench limits --rounds 1");
    assertThat(run(new VerifyCommand(), "limits", "--tolerance", "-1")).isEqualTo(2);
  }
}
