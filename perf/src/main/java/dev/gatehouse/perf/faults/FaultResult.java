package dev.gatehouse.perf.faults;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The result of one case.
 *
 * @param commit of the code that was measured
 * @param failure why the case could not be carried out; empty if it was
 */
public record FaultResult(
    String name, String description, String commit, Instant measuredAt, List<Figure> figures, Optional<String> failure) {

  /** Whether every bound was met. */
  boolean kept() {
    return failure.isEmpty() && figures.stream().allMatch(Figure::kept);
  }
}
