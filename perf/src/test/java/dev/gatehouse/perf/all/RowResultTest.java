package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Cost;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Iteration.Step;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.report.Figure.Beside;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.RowRecord.State;
import dev.gatehouse.perf.report.Samples;
import dev.gatehouse.perf.report.Take;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowResultTest {

  private static final Row ROW =
      new Row(
          "pages", "Pages", "gateway", Length.of(1, "gateway"), List.of(Length.of(1, "gateway --rounds 2")), Map.of(),
          List.of(
              Taken.of(
                  "one", "s", Take.Field.of(Map.of("kind", "one"), "seconds"), Compared.peer("nginx", Take.Field.of(Map.of("kind", "nginx"), "seconds")),
                  Compared.limit("loopback", Take.Field.of(Map.of("kind", "none"), "seconds"))),
              Taken.of("two", "s", Take.Field.of(Map.of("kind", "two"), "seconds")).inFullRuns()));

  private record Time(String kind, double seconds) {}

  @TempDir private Path folder;

  private void write(List<String> failures, Time... times) throws IOException {
    new Report("gateway", "", "", Instant.EPOCH, Samples.MACHINE, Map.of(), List.of(), List.of(times), failures).write(folder, "");
  }

  private RowRecord record(boolean quick, int code, String trouble) throws IOException {
    return RowResult.of(ROW, quick, Samples.at(Samples.COMMIT, 0), folder, code, trouble);
  }

  @Test
  void aRowThatHasAllIsMeasured() throws IOException {
    write(List.of(), new Time("one", 1), new Time("one", 2), new Time("two", 3), new Time("nginx", 4));
    RowRecord seen = record(false, 0, "");
    assertThat(seen.state()).isEqualTo(State.MEASURED);
    assertThat(seen.reason()).isEmpty();
    assertThat(seen.figure("one").orElseThrow().rounds()).containsExactly(1.0, 2.0);
    assertThat(seen.beside("one", Beside.Kind.PEER).orElseThrow().median()).isEqualTo(4);
    assertThat(seen.beside("one", Beside.Kind.LIMIT)).as("what was not measured beside it").isEmpty();
    assertThat(seen.missing()).isEmpty();
  }

  @Test
  void whatARunDoesNotHaveIsMissing() throws IOException {
    write(List.of("two: 7 requests failed"), new Time("one", 1));
    Files.writeString(folder.resolve("log.txt"), "begun\n\nFAILED: two: refused\n");
    RowRecord seen = record(false, 1, "");
    assertThat(seen.state()).isEqualTo(State.PARTLY);
    assertThat(seen.missing()).containsOnlyKeys("two");
    assertThat(seen.figure("two")).isEmpty();
    assertThat(seen.complaints()).containsExactly("two: 7 requests failed");
    assertThat(seen.reason()).isEqualTo("it ended with code 1; the end of its log: begun / FAILED: two: refused");
    assertThat(record(true, 0, "").state()).as("quick is too short for the second figure").isEqualTo(State.MEASURED);
  }

  /** One second, one CPU second. */
  private static Iteration round(long operations) {
    List<Step> steps = List.of(new Step("page", operations, 0, 1, 1, 2, 2, 3));
    return new Iteration("Gatehouse", "page", Phase.MEASUREMENT, 1, 1, operations, steps, List.of(new Cost("gatehouse", 1, 100)), false);
  }

  @Test
  void asManyRoundsCountAsTheLengthOfTheRunSays() throws IOException {
    Row row =
        new Row(
            "pages", "Pages", "gateway", Length.of(1, "gateway"), List.of(Length.of(1, "gateway --rounds 2").counting(1)), Map.of(),
            List.of(Taken.of("page", "per CPU second", new Take.Rate("Gatehouse", "page"))));
    List<Iteration> rounds = List.of(round(10), round(40));
    new Report("gateway", "", "", Instant.EPOCH, Samples.MACHINE, Map.of(), rounds, List.of(), List.of()).write(folder, "");
    RowRecord quick = RowResult.of(row, true, Samples.at(Samples.COMMIT, 0), folder, 0, "");
    assertThat(quick.figure("page").orElseThrow().rounds()).containsExactly(40.0);
    RowRecord full = RowResult.of(row, false, Samples.at(Samples.COMMIT, 0), folder, 0, "");
    assertThat(full.figure("page").orElseThrow().rounds()).containsExactly(10.0, 40.0);
  }

  @Test
  void anAimThatWasMissedIsAComplaint() throws IOException {
    write(List.of("more than 300 ms: a question"), new Time("one", 1), new Time("two", 2));
    RowRecord seen = record(false, 1, "");
    assertThat(seen.state()).isEqualTo(State.MEASURED);
    assertThat(seen.complaints()).containsExactly("more than 300 ms: a question");
  }

  @Test
  void aRowWithoutResultsFailed() throws IOException {
    Files.writeString(folder.resolve("log.txt"), "programs are not installed; install them by: apt-get install nginx\n");
    RowRecord seen = record(false, 2, "");
    assertThat(seen.state()).isEqualTo(State.FAILED);
    assertThat(seen.figures()).isEmpty();
    assertThat(seen.missing()).containsOnlyKeys("one", "two");
    assertThat(seen.reason()).contains("code 2").contains("apt-get install nginx");
    assertThat(record(false, 143, "it was ended after 15 minutes").reason()).startsWith("it was ended after 15 minutes; it ended with code 143");
  }

  @Test
  void resultsThatCannotBeReadFail() throws IOException {
    Files.writeString(folder.resolve("gateway.json"), "{");
    RowRecord seen = record(false, 0, "");
    assertThat(seen.state()).isEqualTo(State.FAILED);
    assertThat(seen.reason()).contains("gateway.json cannot be read");
  }
}
