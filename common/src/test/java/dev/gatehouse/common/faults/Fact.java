package dev.gatehouse.common.faults;

import java.io.IOException;

/** Something that a node has acknowledged. */
abstract class Fact {

  /** The answer to a check. */
  enum Verdict {
    KEPT,
    /** What was granted is gone. */
    LOST,
    /** What was ended or used is accepted. */
    WRONGLY_ACCEPTED
  }

  /** The kinds of facts. */
  enum Kind {
    SESSION,
    LOGOUT,
    REVOCATION,
    CODE_USED,
    REFRESH_ROTATED,
    CONSENT,
    REGISTRATION,
    REPLAY_MARK,
    /** Of a site with directories of its own. */
    PASSWORD
  }

  private final Kind kind;
  private final boolean isRepeatable;
  private final long sinceNanos = System.nanoTime();
  private Verdict verdict = Verdict.KEPT;

  /** @param isRepeatable whether checks leave the fact as it is, so that there may be one at any time */
  Fact(Kind kind, boolean isRepeatable) {
    this.kind = kind;
    this.isRepeatable = isRepeatable;
  }

  /**
   * Asks whether the fact holds.
   *
   * @throws Visitor.Unavailable if nobody answers, which says nothing about the fact
   */
  abstract Verdict ask() throws IOException;

  /** Asks, and remembers the worst answer. One check at a time. */
  synchronized Verdict check() throws IOException {
    Verdict now = ask();
    if (verdict == Verdict.KEPT && now != Verdict.KEPT) {
      verdict = now;
    }
    return verdict;
  }

  Kind kind() {
    return kind;
  }

  boolean isRepeatable() {
    return isRepeatable;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  synchronized Verdict verdict() {
    return verdict;
  }
}
