package dev.gatehouse.common.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private final List<Long> accepted = new ArrayList<>();
  private Verdict verdict = Verdict.KEPT;
  private long lateNanos;
  private int checks;

  /** Says for how long after its end something may be accepted. */
  interface Allowance {

    /** @param sentNanos when the node was asked that accepted it */
    Duration at(long sentNanos);
  }

  /** One of several ways to try something. */
  interface Trial {
    Verdict run() throws IOException;
  }

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
   * Tries all ways, whatever one of them says, and returns the worst verdict.
   *
   * @throws Visitor.Unavailable if one of them says neither yes nor no, and the others accept nothing
   */
  static Verdict worst(Trial... trials) throws Visitor.Unavailable {
    Verdict worst = Verdict.KEPT;
    List<String> unanswered = new ArrayList<>();
    for (Trial trial : trials) {
      try {
        Verdict verdict = trial.run();
        worst = verdict.compareTo(worst) > 0 ? verdict : worst;
      } catch (IOException | IllegalStateException e) {
        unanswered.add(String.valueOf(e.getMessage()));
      }
    }
    if (worst == Verdict.KEPT && !unanswered.isEmpty()) {
      throw new Visitor.Unavailable(unanswered.toString());
    }
    return worst;
  }

  /**
   * Remembers that a node accepted from its memory what was ended.
   *
   * @param sentNanos when it was asked
   */
  final void accepted(long sentNanos) {
    accepted.add(sentNanos);
  }

  /**
   * Asks, and remembers the worst answer. One check at a time.
   *
   * @param allowance for how long after the acknowledgement nodes may accept from their memory what was ended
   * @return the verdict if it is worse than the one before
   */
  synchronized Optional<Verdict> check(Allowance allowance) throws IOException {
    accepted.clear();
    Verdict now = ask();
    checks++;
    for (long sent : now == Verdict.LATE ? accepted : List.<Long>of()) {
      lateNanos = Math.max(lateNanos, sent - sinceNanos);
      if (sent - sinceNanos > allowance.at(sent).toNanos()) {
        now = Verdict.WRONGLY_ACCEPTED;
      }
    }
    if (now.compareTo(verdict) <= 0) {
      return Optional.empty();
    }
    verdict = now;
    return Optional.of(now);
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
