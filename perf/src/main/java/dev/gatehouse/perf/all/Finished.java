package dev.gatehouse.perf.all;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import java.util.Locale;
import java.util.Map;

/**
 * Which rows need not run again: those that have all figures that the plan takes from them now, from the same commit, on the same kind of
 * machine, with the same options. A row that had its long run needs no quick one.
 */
record Finished(String commit, Machine machine, boolean quick) {

  boolean has(Row row, Map<String, RowRecord> records) {
    RowRecord seen = records.get(row.id());
    return seen != null && seen.complete() && isOfThis(seen) && hasOptions(row, seen) && hasFigures(row, seen);
  }

  private boolean isOfThis(RowRecord seen) {
    return seen.circumstances().elsewhere(commit, machine).isEmpty();
  }

  private boolean hasOptions(Row row, RowRecord seen) {
    boolean isEnough = quick || !seen.quick();
    return isEnough && (!seen.quick() || row.isQuick()) && seen.command().equals(row.command(seen.quick()));
  }

  /** The plan is no part of what was measured: at the same commit it may take more from a row than when that ran. */
  private static boolean hasFigures(Row row, RowRecord seen) {
    return row.taken(seen.quick()).stream()
        .allMatch(each -> seen.figure(each.figure()).filter(figure -> figure.unit().equals(each.unit())).isPresent());
  }

  /** What {@code --list} says of a row. */
  String state(Row row, Map<String, RowRecord> records) {
    RowRecord seen = records.get(row.id());
    if (seen == null) {
      return "not measured";
    }
    String words = (seen.quick() ? "quick, " : "") + seen.state().name().toLowerCase(Locale.ROOT);
    if (!seen.circumstances().commit().equals(commit)) {
      return words + " at " + seen.circumstances().commit();
    }
    if (!isOfThis(seen)) {
      return words + ", other machine or JDK";
    }
    if (seen.complete() && !hasOptions(row, seen)) {
      return words + ", other options";
    }
    if (seen.complete() && !hasFigures(row, seen)) {
      return words + ", other figures";
    }
    return words + (seen.circumstances().busy().disturbed() ? ", busy" : "");
  }
}
