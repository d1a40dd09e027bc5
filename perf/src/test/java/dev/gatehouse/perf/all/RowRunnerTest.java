package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.RowRecord.State;
import dev.gatehouse.perf.report.Samples;
import dev.gatehouse.perf.report.Take;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row is a process; here it is a small one. */
class RowRunnerTest {

  @TempDir private Path work;

  /** What a benchmark of the test measured. */
  private record Measured(double seconds, boolean hasOptions, boolean hasItsFolder) {}

  /** A benchmark. */
  static final class Bench {

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
      if (arguments[0].equals("failing")) {
        System.err.println("slapd did not start");
        System.exit(3);
      }
      boolean hasOptions = Arrays.asList(arguments).subList(3, arguments.length).equals(List.of("--rounds", "2", "--", "-f", "1"));
      boolean hasItsFolder = Objects.equals(System.getenv("TMPDIR"), System.getProperty("java.io.tmpdir"));
      Measured measured = new Measured(Double.parseDouble(System.getenv().getOrDefault("SECONDS_OF_TEST", "")), hasOptions, hasItsFolder);
      new Report("some", "", "", Instant.EPOCH, Samples.MACHINE, Map.of(), List.of(), List.of(measured), List.of())
          .write(Path.of(arguments[2]), "");
    }
  }

  private RowRecord run(String command, RowRunner runner) throws Exception {
    Row row =
        new Row(
            "some", "Some", "some", Length.of(1, command), List.of(), Map.of("SECONDS_OF_TEST", "4.5"),
            List.of(Taken.of("a", "s", Take.Field.of(Map.of("hasOptions", "true", "hasItsFolder", "true"), "seconds"))));
    return runner.run(row, false);
  }

  @Test
  void aRowIsRunWithItsOptionsAndRecorded() throws Exception {
    double signatures = RowRunner.signatures();
    RowRecord seen = run("some --rounds 2 -- -f 1", new RowRunner(Bench.class, Samples.COMMIT, work, () -> signatures));
    assertThat(seen.state()).as(seen.reason()).isEqualTo(State.MEASURED);
    assertThat(seen.figure("a").orElseThrow().rounds()).containsExactly(4.5);
    assertThat(seen.command()).isEqualTo("SECONDS_OF_TEST=\"4.5\" ./gatehouse bench some --rounds 2 -- -f 1");
    assertThat(seen.circumstances().commit()).isEqualTo(Samples.COMMIT);
    assertThat(seen.circumstances().machine().cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(seen.circumstances().signaturesBefore()).isPositive();
    assertThat(seen.circumstances().ended()).isAfter(seen.circumstances().began());
    assertThat(seen.circumstances().busy().seconds()).isPositive();
  }

  @Test
  void aBenchmarkThatFailsIsRecordedSo() throws Exception {
    RowRecord seen = run("failing", new RowRunner(Bench.class, Samples.COMMIT, work, () -> 1));
    assertThat(seen.state()).isEqualTo(State.FAILED);
    assertThat(seen.reason()).isEqualTo("it ended with code 3; the end of its log: slapd did not start");
    assertThat(seen.figures()).isEmpty();
  }
}
