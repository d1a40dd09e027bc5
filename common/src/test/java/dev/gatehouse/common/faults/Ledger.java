package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * All facts that were acknowledged. Each of those that few requests ask for is asked for when it is young, while nodes may not have heard
 * of it, and again when all must have; and facts of any age by chance.
 */
final class Ledger {

  /** Without a fault on the way to the store, others hear of a change within 50 ms (p99); this is for a machine that is busy. */
  static final Duration HEARD = Duration.ofSeconds(1);

  private static final int MOST_FINDINGS = 200;
  private static final Set<Kind> CHEAP = EnumSet.of(Kind.SESSION, Kind.LOGOUT, Kind.REVOCATION, Kind.CODE_USED, Kind.REPLAY_MARK);
  private static final Duration YOUNG = Duration.ofMillis(300);
  private static final List<Duration> QUICK = Stream.of(100, 400, 900, 1_500).map(Duration::ofMillis).toList();
  private static final Duration AFTER = Duration.ofMillis(50);
  /** With a longer allowance, facts are asked for when the fault is over. */
  private static final Duration MOST_ALLOWANCE = Duration.ofSeconds(5);
  private static final int DUE_AT_ONCE = 8;
  private static final int BY_CHANCE = 2;

  /** A fact that is to be asked for at a time. */
  private record Due(Fact fact, long atNanos) {}

  private final List<Fact> facts = new ArrayList<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong((Due each) -> each.atNanos()));
  private final PriorityQueue<Due> quick = new PriorityQueue<>(Comparator.comparingLong((Due each) -> each.atNanos()));
  private final List<String> findings = new ArrayList<>();
  private final List<Duration> served = new ArrayList<>();
  private final AtomicInteger unexpected = new AtomicInteger();
  private final long startNanos = System.nanoTime();
  private final LongSupplier nanos;
  private volatile Duration allowance = HEARD;
  private volatile boolean hasBegun;
  private volatile boolean hasEnded;
  private volatile boolean isChecked;
  private volatile long faultNanos = startNanos;
  private volatile long endNanos = startNanos;
  private volatile int unanswered;
  private volatile boolean stillFails;

  Ledger() {
    this(System::nanoTime);
  }

  Ledger(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Says for how long after its end a session may be accepted by a node that cannot have heard of it because of the fault. */
  void allow(Duration time) {
    allowance = time;
  }

  /** Says that the fault begins now; what was only prepared for it does not count as its time. */
  void begins() {
    faultNanos = nanos.getAsLong();
    hasBegun = true;
  }

  /** Says that the fault is over. */
  void ends() {
    endNanos = nanos.getAsLong();
    hasEnded = true;
  }

  /** Before the fault, and once its effects must be over, it excuses nobody. */
  private Duration allowanceAt(long sentNanos) {
    boolean isExcused =
        hasBegun
            && !isChecked
            && sentNanos - faultNanos >= 0
            && (!hasEnded || sentNanos - endNanos <= allowance.toNanos());
    return isExcused ? allowance : HEARD;
  }

  /** Returns when the fault began. */
  long faultNanos() {
    return faultNanos;
  }

  synchronized void add(Fact fact) {
    facts.add(fact);
    if (fact.isQuick()) {
      QUICK.forEach(age -> quick.add(new Due(fact, fact.sinceNanos() + age.toNanos())));
      known(fact, quick);
    } else if (fact.isRepeatable() && CHEAP.contains(fact.kind())) {
      due.add(new Due(fact, fact.sinceNanos() + YOUNG.toNanos()));
      known(fact, due);
    }
  }

  /** Has a fact asked for when every node must have heard of it, and again when one must that the fault excuses. */
  private void known(Fact fact, PriorityQueue<Due> queue) {
    queue.add(new Due(fact, fact.sinceNanos() + HEARD.plus(AFTER).toNanos()));
    Duration excused = allowance.compareTo(MOST_ALLOWANCE) > 0 ? MOST_ALLOWANCE : allowance;
    if (hasBegun && excused.compareTo(HEARD) > 0) {
      queue.add(new Due(fact, fact.sinceNanos() + excused.plus(AFTER).toNanos()));
    }
  }

  /** Checks facts while the load goes on: those whose time has come, and some by chance, if a check leaves them as they are. */
  void checkSome() {
    Stream.concat(next(due).stream(), byChance().stream()).forEach(this::check);
  }

  /** Checks facts that are asked for quickly and often, beside the others, of which one may have to wait for a store that is away. */
  void checkQuick() {
    next(quick).forEach(this::check);
  }

  private synchronized List<Fact> next(PriorityQueue<Due> queue) {
    List<Fact> next = new ArrayList<>();
    long now = nanos.getAsLong();
    while (next.size() < DUE_AT_ONCE && !queue.isEmpty() && queue.element().atNanos() - now <= 0) {
      next.add(queue.remove().fact());
    }
    return next;
  }

  private synchronized List<Fact> byChance() {
    List<Fact> next = new ArrayList<>();
    for (int i = 0; i < BY_CHANCE && !facts.isEmpty(); i++) {
      Fact any = facts.get(ThreadLocalRandom.current().nextInt(facts.size()));
      if (any.isRepeatable()) {
        next.add(any);
      }
    }
    return next;
  }

  /**
   * Checks all facts once the fault is over: nothing excuses a node any more. One that nobody answers for is asked again until the time is
   * over.
   */
  void checkAll(Duration most) {
    isChecked = true;
    long end = System.nanoTime() + most.toNanos();
    List<Fact> left = snapshot();
    while (!left.isEmpty()) {
      List<Fact> silent = left.parallelStream().filter(fact -> !check(fact)).toList();
      if (System.nanoTime() > end) {
        silent.forEach(fact -> find(fact, "nobody answers"));
        unanswered = silent.size();
        return;
      }
      left = silent;
    }
  }

  /** Checks a fact; returns whether somebody answered. */
  boolean check(Fact fact) {
    try {
      fact.check(this::allowanceAt)
          .ifPresent(worse -> find(fact, worse + (worse == Verdict.LATE ? " by " + fact.lateness().toMillis() + " ms" : "")));
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

  /** Keeps something that is no finding, such as the time of the fault. */
  synchronized void note(String what) {
    if (findings.size() >= MOST_FINDINGS) {
      return;
    }
    findings.add("%s at %.2f s".formatted(what, seconds(System.nanoTime())));
  }

  /** Keeps an answer that no fault explains. */
  void unexpected(String what) {
    unexpected.incrementAndGet();
    note("unexpected: " + what.substring(0, Math.min(200, what.length())).replace('\n', ' '));
  }

  /** Keeps that requests fail long after the fault. */
  void stillFails(Duration after) {
    stillFails = true;
    note("requests still fail after " + after.toSeconds() + " s");
  }

  /** Keeps how long a configuration took from its acknowledgement until every node served it. */
  synchronized void served(Duration time) {
    served.add(time);
  }

  /** Returns these times. */
  synchronized List<Duration> served() {
    return List.copyOf(served);
  }

  private synchronized List<Fact> snapshot() {
    return List.copyOf(facts);
  }

  int count(Verdict verdict) {
    return (int) snapshot().stream().filter(fact -> fact.verdict() == verdict).count();
  }

  /** Returns what is to be said of all facts. */
  FaultRow.Judged judged(int errors) {
    List<Fact> late = snapshot().stream().filter(fact -> fact.verdict() == Verdict.LATE).toList();
    Duration longest = late.stream().map(Fact::lateness).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    return new FaultRow.Judged(
        count(Verdict.LOST), count(Verdict.WRONGLY_ACCEPTED), new FaultRow.Late(late.size(), longest), unanswered,
        unexpected.get() + errors, stillFails);
  }

  /** Returns how often somebody answered for a fact. */
  int checks() {
    return snapshot().stream().mapToInt(Fact::checks).sum();
  }

  /** Returns how many sessions were ended since the fault began. */
  int endedSinceFault() {
    return (int)
        snapshot().stream().filter(fact -> fact.kind() == Kind.LOGOUT && fact.sinceNanos() - faultNanos >= 0).count();
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
