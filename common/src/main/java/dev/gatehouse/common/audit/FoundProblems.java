package dev.gatehouse.common.audit;

import dev.gatehouse.common.audit.AuditReport.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The problems of a verification: the first ones are kept, further ones are counted. */
final class FoundProblems {

  private static final int KEPT = 1000;

  private final List<Problem> kept = new ArrayList<>();
  private long unlisted;

  void add(Path file, long line, String what) {
    if (kept.size() < KEPT) {
      kept.add(new Problem(file, line, what));
    } else {
      unlisted++;
    }
  }

  List<Problem> kept() {
    return List.copyOf(kept);
  }

  long unlisted() {
    return unlisted;
  }
}
