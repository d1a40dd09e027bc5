package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.Samples;
import dev.gatehouse.perf.report.Take;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows go on where they stopped. */
class AllRunTest {

  private static final Row FIRST = row("first", 1);
  private static final Row SECOND = row("second", 1);
  private static final Row THIRD = row("third", 1);

  @TempDir private Path folder;

  private final List<String> ran = new ArrayList<>();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private int reports;

  private static Row row(String id, double quickMinutes) {
    return new Row(
        id, id, "limits", Length.of(5, "limits"), List.of(Length.of(quickMinutes, "limits --rounds 2")), Map.of(),
        List.of(Taken.of(id + ".figure", "s", Take.Field.of(Map.of(), "seconds"))));
  }

  private RowRecord measure(Row row, boolean quick, String commit) {
    ran.add(row.id());
    return Samples.measured(row, quick, commit, Samples.figure(row.id() + ".figure", "s", 1, 2, 3));
  }

  private boolean run(Finished finished, boolean again, AllRun.Runner runner, Row... rows) throws IOException, InterruptedException {
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    return new AllRun(finished, new Records(folder), runner, () -> reports++, again, out).run(List.of(rows));
  }

  private static Finished at(String commit, boolean quick) {
    return new Finished(commit, Samples.MACHINE, quick);
  }

  private AllRun.Runner measuring(String commit) {
    return (row, quick) -> measure(row, quick, commit);
  }

  @Test
  void aRunThatWasInterruptedGoesOn() throws Exception {
    assertThatThrownBy(
            () ->
                run(
                    at("c", false), false,
                    (row, quick) -> {
                      if (row.equals(SECOND)) {
                        throw new IOException("killed");
                      }
                      return measure(row, quick, "c");
                    },
                    FIRST, SECOND, THIRD))
        .hasMessage("killed");
    assertThat(new Records(folder).all()).containsOnlyKeys("first");
    ran.clear();
    assertThat(run(at("c", false), false, measuring("c"), FIRST, SECOND, THIRD)).isTrue();
    assertThat(ran).containsExactly("second", "third");
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("first (1 of 3): finished before");
    assertThat(reports).as("a report after each row").isEqualTo(3);
  }

  @Test
  void aFailedRowDoesNotEndTheRunAndIsTriedAgain() throws Exception {
    AllRun.Runner failing = (row, quick) -> row.equals(FIRST) ? Samples.failed(row, "slapd did not start") : measure(row, quick, Samples.COMMIT);
    assertThat(run(at(Samples.COMMIT, false), false, failing, FIRST, SECOND)).isFalse();
    assertThat(ran).containsExactly("second");
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("first (1 of 2): FAILED: slapd did not start");
    RowRecord failed = new Records(folder).find("first").orElseThrow();
    assertThat(failed.figures()).isEmpty();
    assertThat(failed.reason()).isEqualTo("slapd did not start");
    assertThat(run(at(Samples.COMMIT, false), false, measuring(Samples.COMMIT), FIRST, SECOND)).isTrue();
    assertThat(ran).containsExactly("second", "first");
  }

  @Test
  void finishedIsWhatHasTheSameCommitMachineAndOptions() throws Exception {
    new Records(folder).write(Samples.measured(FIRST, false, "c", Samples.figure("first.figure", "s", 1)));
    Map<String, RowRecord> records = new Records(folder).all();
    assertThat(at("c", false).has(FIRST, records)).isTrue();
    assertThat(at("c", true).has(FIRST, records)).as("a long run needs no quick one").isTrue();
    assertThat(at("other", false).has(FIRST, records)).isFalse();
    List<Machine> others =
        List.of(
            new Machine(4, "AMD EPYC", 24_105, "6.18.44", "25.0.3+9-LTS"), new Machine(2, "AMD Ryzen", 24_105, "6.18.44", "25.0.3+9-LTS"),
            new Machine(2, "AMD EPYC", 32_105, "6.18.44", "25.0.3+9-LTS"), new Machine(2, "AMD EPYC", 24_105, "6.18.44", "26+36"));
    for (Machine other : others) {
      assertThat(new Finished("c", other, false).has(FIRST, records)).as(other.toString()).isFalse();
      assertThat(new Finished("c", other, false).state(FIRST, records)).isEqualTo("measured, other machine or JDK");
    }
    Machine anotherKernel = new Machine(2, "AMD EPYC", 24_071, "6.19.1", "25.0.3+9-LTS");
    assertThat(new Finished("c", anotherKernel, false).has(FIRST, records)).as("it keeps a little more memory for itself").isTrue();
    Row changed = new Row("first", "first", "limits", Length.of(5, "limits --rounds 9"), FIRST.quick(), Map.of(), FIRST.taken());
    assertThat(at("c", false).has(changed, records)).isFalse();
    assertThat(at("c", false).state(changed, records)).isEqualTo("measured, other options");
    assertThat(at("other", false).state(FIRST, records)).isEqualTo("measured at c");
    assertThat(at("c", false).state(SECOND, records)).isEqualTo("not measured");
  }

  /** The plan may change at the same commit. */
  @Test
  void aRowOfWhichMoreIsTakenNowIsNotFinished() throws Exception {
    Taken former = FIRST.taken().getFirst();
    Taken added = Taken.of("first.other", "s", Take.Field.of(Map.of(), "others"));
    Row more = taking(former, added);
    Row moreInFullRuns = taking(former, added.inFullRuns());
    Row inOtherUnit = taking(Taken.of(former.figure(), "ms", former.take()));
    new Records(folder).write(Samples.measured(FIRST, true, "c", Samples.figure("first.figure", "s", 1)));
    assertThat(at("c", true).has(moreInFullRuns, new Records(folder).all())).isTrue();
    assertThat(at("c", true).has(more, new Records(folder).all())).isFalse();
    new Records(folder).write(Samples.measured(FIRST, false, "c", Samples.figure("first.figure", "s", 1)));
    Map<String, RowRecord> records = new Records(folder).all();
    assertThat(at("c", false).has(FIRST, records)).isTrue();
    for (Row changed : List.of(more, moreInFullRuns, inOtherUnit)) {
      assertThat(at("c", false).has(changed, records)).as(changed.toString()).isFalse();
      assertThat(at("c", false).state(changed, records)).isEqualTo("measured, other figures");
    }
    run(at("c", false), false, measuring("c"), more);
    assertThat(ran).containsExactly("first");
  }

  private static Row taking(Taken... taken) {
    return new Row("first", "first", "limits", FIRST.full(), FIRST.quick(), Map.of(), List.of(taken));
  }

  @Test
  void aQuickRowDoesNotStandForTheLongOne() throws Exception {
    run(at("c", true), false, measuring("c"), FIRST);
    assertThat(at("c", true).has(FIRST, new Records(folder).all())).isTrue();
    assertThat(at("c", false).has(FIRST, new Records(folder).all())).isFalse();
  }

  @Test
  void againRunsFinishedRows() throws Exception {
    run(at("c", false), false, measuring("c"), FIRST);
    run(at("c", false), true, measuring("c"), FIRST);
    assertThat(ran).containsExactly("first", "first");
  }

  @Test
  void quickLeavesOutWhatWouldBeTooLate() throws Exception {
    assertThat(run(at("c", true), false, measuring("c"), row("long", 91), SECOND)).isFalse();
    assertThat(ran).containsExactly("second");
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("long (1 of 2): left out");
    assertThat(new Records(folder).all()).containsOnlyKeys("second");
  }
}
