package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.report.Figure.Beside;
import dev.gatehouse.perf.report.Figure.Seen;
import dev.gatehouse.perf.report.RowRecord.State;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records for tests. */
public final class Samples {

  public static final String COMMIT = "0123456789ab";
  public static final Machine MACHINE = new Machine(2, "AMD EPYC", 24_105, "6.18.44", "25.0.3+9-LTS");

  public static final Machine OTHER_MACHINE = new Machine(64, "Intel(R) Xeon(R) @ 2.20GHz", 257_000, "6.12.1", "25.0.3+9-LTS");

  private static final Instant BEGAN = Instant.parse("2026-11-27T16:00:00Z");

  private Samples() {}

  public static Circumstances at(String commit, double others) {
    return new Circumstances(commit, MACHINE, BEGAN, BEGAN.plusSeconds(150), Busy.of(150, 2, 0.001, others, 2 * others), 3_950, 4_010);
  }

  public static RowRecord measured(Row row, boolean quick, String commit, Figure... figures) {
    return new RowRecord(
        RowRecord.FORMAT, row.id(), quick, row.command(quick), at(commit, 0.01), State.MEASURED, "", List.of(), List.of(figures), Map.of());
  }

  public static RowRecord failed(Row row, String reason) {
    return new RowRecord(
        RowRecord.FORMAT, row.id(), false, row.command(false), at(COMMIT, 0.01), State.FAILED, reason, List.of(), List.of(),
        Map.of(row.taken().getFirst().figure(), "the run has no such figure"));
  }

  public static RowRecord disturbed(RowRecord each) {
    return new RowRecord(
        each.format(), each.row(), each.quick(), each.command(), at(COMMIT, 0.4), each.state(), each.reason(), each.complaints(),
        each.figures(), each.missing());
  }

  /** The same, on another machine. */
  public static RowRecord elsewhere(RowRecord each) {
    Circumstances at = each.circumstances();
    Circumstances there =
        new Circumstances(
            at.commit(), OTHER_MACHINE, at.began(), at.ended(), at.busy(), at.signaturesBefore(), at.signaturesAfter());
    return new RowRecord(
        each.format(), each.row(), each.quick(), each.command(), there, each.state(), each.reason(), each.complaints(), each.figures(),
        each.missing());
  }

  public static Figure figure(String id, String unit, double... rounds) {
    return Figure.of(id, unit, Seen.of(Series.of(Arrays.stream(rounds).boxed().toList())), List.of());
  }

  /** A rate with what it says besides, a peer and a limit. */
  public static Figure rate(String id, List<Beside> beside, double... rounds) {
    Map<String, Double> more = new LinkedHashMap<>();
    more.put("per second", 1_234.5);
    more.put("CPU ms of gatehouse", 0.31);
    more.put("p50 ms", 0.42);
    more.put("p99 ms", 3.1);
    Series series = Series.of(Arrays.stream(rounds).boxed().toList());
    return Figure.of(id, "per CPU second", new Seen(series, more), beside);
  }

  public static Beside peer(String name, double value) {
    return Beside.of(Beside.Kind.PEER, name, Series.of(List.of(value)));
  }

  public static Beside limit(String name, double value) {
    return Beside.of(Beside.Kind.LIMIT, name, Series.of(List.of(value)));
  }
}
