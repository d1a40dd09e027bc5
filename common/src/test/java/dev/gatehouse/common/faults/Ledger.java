package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** All facts that were acknowledged. */
final class Ledger {

  private static final int MOST_FINDINGS = 200;

  private final List<Fact> facts = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();
  private final long startNanos = System.nanoTime();

  synchronized void add(Fact fact) {
    facts.add(fact);
  }

  private synchronized Optional<Fact> any() {
    return facts.isEmpty() ? Optional.empty() : Optional.of(facts.get(ThreadLocalRandom.current().nextInt(facts.size())));
  }

  /** Checks a fact while the load goes on, if a check leaves it as it is. */
  void checkAny() {
    any().filter(Fact::isRepeatable).ifPresent(this::check);
  }

  /** Checks all facts; one that nobody answers for is asked again until the time is over. */
  void checkAll(Duration most) {
    long end = System.nanoTime() + most.toNanos();
    List<Fact> left = snapshot();
    while (!left.isEmpty()) {
      List<Fact> unanswered = left.parallelStream().filter(fact -> !check(fact)).toList();
      if (System.nanoTime() > end) {
        unanswered.forEach(fact -> find(fact, "nobody answers"));
        return;
      }
      left = unanswered;
    }
  }

  private boolean check(Fact fact) {
    try {
      Verdict before = fact.verdict();
      Verdict after = fact.check();
      if (before == Verdict.KEPT && after != Verdict.KEPT) {
        find(fact, after.toString());
      }
      return true;
    } catch (IOException | IllegalStateException e) {
      // Nobody answers, or another page came than those that say yes or no: it is asked again.
      return false;
    }
  }

  private synchronized void find(Fact fact, String what) {
    findings.add(
        "%s of %.2f s: %s at %.2f s".formatted(fact.kind(), seconds(fact.sinceNanos()), what, seconds(System.nanoTime())));
  }

  private double seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - startNanos) / 1000.0;
  }

  synchronized void note(String what) {
    if (findings.size() >= MOST_FINDINGS) {
      return;
    }
    findings.add("%s at %.2f s".formatted(what, seconds(System.nanoTime())));
  }

  private synchronized List<Fact> snapshot() {
    return List.copyOf(facts);
  }

  int count(Verdict verdict) {
    return (int) snapshot().stream().filter(fact -> fact.verdict() == verdict).count();
  }

  /** Returns how many facts of each kind were acknowledged. */
  Map<Kind, Integer> kinds() {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    snapshot().forEach(fact -> counts.merge(fact.kind(), 1, Integer::sum));
    return counts;
  }

  synchronized List<String> findings() {
    return List.copyOf(findings);
  }
}
