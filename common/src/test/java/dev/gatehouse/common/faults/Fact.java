package dev.gatehouse.common.faults;

import java.io.IOException;
import java.time.Duration;

/** Something that a node has acknowledged. */
abstract class Fact {

  /** The answer to a check. */
  enum Verdict {
    KEPT,
    /** What was ended is accepted by a node that has not heard of it, within the time that the documentation gives it. */
    LATE,
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
  private long lateNanos;
  private int checks;

  /** @param isRepeatable whether checks leave the fact as it is, so that there may be one at any time */
  Fact(Kind kind, boolean isRepeatable) {
    this.kind = kind;
    this.isRepeatable = isRepeatable;
  }

  /**
   * Asks whether the fact holds. {@link Verdict#LATE} says only that a node accepted it from its memory, see {@link #accepted}.
   *
   * @throws Visitor.Unavailable if nobody answers, which says nothing about the fact
   */
  abstract Verdict ask() throws IOException;

  /**
   * Remembers that a node accepted from its memory what was ended.
   *
   * @param sentNanos when it was asked
   */
  final void accepted(long sentNanos) {
    lateNanos = Math.max(lateNanos, sentNanos - sinceNanos);
  }

  /**
   * Asks, and remembers the worst answer. One check at a time.
   *
   * @param allowance for so long after the acknowledgement nodes may accept from their memory what was ended
   */
  synchronized Verdict check(Duration allowance) throws IOException {
    Verdict now = ask();
    checks++;
    if (now == Verdict.LATE && lateNanos > allowance.toNanos()) {
      now = Verdict.WRONGLY_ACCEPTED;
    }
    if (now.compareTo(verdict) > 0) {
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

  /** Returns whether a check asks single nodes for one page each, so that it waits for nobody else. */
  boolean isQuick() {
    return false;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** Returns how long after the acknowledgement a node was asked that still accepted it. */
  synchronized Duration lateness() {
    return Duration.ofNanos(lateNanos);
  }

  /** Returns how often somebody answered. */
  synchronized int checks() {
    return checks;
  }

  synchronized Verdict verdict() {
    return verdict;
  }
}
