package dev.gatehouse.perf.otp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * What a node acknowledged while it ran: each code that counted and each change, to be compared at the end with what the node has. A
 * request without an answer may have counted or not, and is counted apart.
 */
final class OtpLedger {

  /** Where something is different from what was acknowledged. */
  private static final int MOST_NAMED = 20;

  private record Codes(BitSet steps, LongAdder logins) {}

  private final long base;
  private final Map<String, Codes> codes = new ConcurrentHashMap<>();
  private final Map<String, String> changes = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> acknowledged = new ConcurrentHashMap<>();
  private final LongAdder unknown = new LongAdder();
  private final List<String> twice = Collections.synchronizedList(new ArrayList<>());

  /** @param base a time step before all codes */
  OtpLedger(long base) {
    this.base = base;
  }

  /** A code of a token counted. */
  void accepted(String serial, long step) {
    count("codes");
    Codes known = codes.computeIfAbsent(serial, token -> new Codes(new BitSet(), new LongAdder()));
    int at = Math.toIntExact(step - base);
    synchronized (known) {
      if (known.steps.get(at)) {
        twice.add(serial + " at " + step);
      }
      known.steps.set(at);
    }
    known.logins.increment();
  }

  /** Whether the code of a token at that time step counted. */
  boolean hasCounted(String serial, long step) {
    Codes known = codes.get(serial);
    if (known == null || step < base) {
      return false;
    }
    synchronized (known) {
      return known.steps.get(Math.toIntExact(step - base));
    }
  }

  /** A request was answered neither yes nor no. */
  void unknown() {
    unknown.increment();
  }

  /**
   * A change was acknowledged.
   *
   * @param what was changed: only the last value of it can be compared
   */
  void changed(String kind, String what, String value) {
    count(kind);
    changes.put(what, value);
  }

  /** Something was done that leaves nothing to compare. */
  void count(String kind) {
    acknowledged.computeIfAbsent(kind, key -> new LongAdder()).increment();
  }

  /** How often each kind of thing was acknowledged. */
  Map<String, Long> acknowledged() {
    Map<String, Long> sums = new HashMap<>();
    acknowledged.forEach((kind, sum) -> sums.put(kind, sum.sum()));
    return sums;
  }

  /** The last code of each token that counted. */
  Map<String, Long> last() {
    Map<String, Long> last = new HashMap<>();
    codes.forEach((serial, known) -> last.put(serial, base + known.steps.length() - 1));
    return last;
  }

  Map<String, String> changes() {
    return Map.copyOf(changes);
  }

  /**
   * The result of the comparison.
   *
   * @param lost codes that counted and are not in the node's log, or whose token does not know of them
   * @param lostChanges changes whose value the node does not have
   * @param named some of both, and of the codes that counted twice
   */
  record Reconciled(long codes, long lost, long twice, long changes, long lostChanges, long unknown, List<String> named) {

    boolean isWhole() {
      return lost == 0 && twice == 0 && lostChanges == 0;
    }
  }

  /**
   * Compares.
   *
   * @param logged how many codes of a token counted by the node's log
   * @param lastUsed the last time step by a token's row
   * @param changed what was changed as it is now; changes that are missing are lost
   */
  Reconciled reconcile(ToLongFunction<String> logged, ToLongFunction<String> lastUsed, Map<String, String> changed) {
    List<String> named = new ArrayList<>();
    long sum = 0;
    long lost = 0;
    for (Map.Entry<String, Codes> each : codes.entrySet()) {
      long counted = each.getValue().logins.sum();
      sum += counted;
      long missing = Math.max(0, counted - logged.applyAsLong(each.getKey()));
      boolean isBehind = lastUsed.applyAsLong(each.getKey()) < base + each.getValue().steps.length() - 1;
      if (missing > 0 || isBehind) {
        lost += Math.max(1, missing);
        name(named, "token " + each.getKey() + ": " + missing + " not in the log" + (isBehind ? ", and its row is behind" : ""));
      }
    }
    long lostChanges = 0;
    for (Map.Entry<String, String> each : changes.entrySet()) {
      String now = changed.getOrDefault(each.getKey(), "nothing");
      if (!now.equals(each.getValue())) {
        lostChanges++;
        name(named, each.getKey() + " is " + now + " and not " + each.getValue());
      }
    }
    twice.forEach(code -> name(named, "counted twice: " + code));
    return new Reconciled(sum, lost, twice.size(), changes.size(), lostChanges, unknown.sum(), named);
  }

  private static void name(List<String> named, String what) {
    if (named.size() < MOST_NAMED) {
      named.add(what);
    }
  }

  /** What would be in a day, if it went on as it was in so many seconds. */
  static double inDay(double measured, double seconds) {
    return measured * 86_400 / seconds;
  }
}
