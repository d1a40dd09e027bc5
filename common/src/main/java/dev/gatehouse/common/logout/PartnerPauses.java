package dev.gatehouse.common.logout;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pauses for partners that failed to answer several times in a row, longer each time. Without them, each of thousands of notices
 * to a partner that hangs would cost its whole deadline.
 */
final class PartnerPauses {

  private static final int FAILURES = 3;
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** @param until EPOCH without a pause */
  private record State(int failures, Instant until) {
    static final State FINE = new State(0, Instant.EPOCH);
  }

  private final ConcurrentHashMap<String, State> states = new ConcurrentHashMap<>();

  /** Returns the time until which the partner is paused; empty if it is not paused. */
  Optional<Instant> until(String realm, String partner, Instant now) {
    return Optional.of(states.getOrDefault(key(realm, partner), State.FINE).until()).filter(now::isBefore);
  }

  void answered(String realm, String partner) {
    states.remove(key(realm, partner));
  }

  /** Counts a failure. Failures of parallel tries count once after the first pause. */
  void failed(String realm, String partner, Instant now) {
    states.compute(
        key(realm, partner),
        (key, known) -> {
          State before = known == null ? State.FINE : known;
          if (now.isBefore(before.until())) {
            return before;
          }
          int failures = before.failures() + 1;
          return new State(failures, failures < FAILURES ? Instant.EPOCH : now.plus(pause(failures - FAILURES)));
        });
  }

  private static Duration pause(int times) {
    Duration pause = FIRST.multipliedBy(1L << Math.min(times, 10));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }

  private static String key(String realm, String partner) {
    return realm + "\n" + partner;
  }
}
