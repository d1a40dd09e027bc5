package dev.gatehouse.idp.otp.visit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Keeps off a home that does not answer: after several failures in a row nobody waits for it, until one request in a while has an answer. */
final class HomeCircuit {

  private static final int FAILURES = 5;
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final InstantSource clock;
  private int failures;
  private Instant next = Instant.EPOCH;
  private Optional<Instant> answered = Optional.empty();

  HomeCircuit(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns whether it may be asked now. Of those that ask while it is open, one gets yes once the pause is over. */
  synchronized boolean admits() {
    if (failures < FAILURES) {
      return true;
    }
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return false;
    }
    next = now.plus(PAUSE);
    return true;
  }

  synchronized void answered() {
    failures = 0;
    answered = Optional.of(clock.instant());
  }

  synchronized void failed() {
    failures++;
    if (failures >= FAILURES) {
      next = clock.instant().plus(PAUSE);
    }
  }

  synchronized boolean isOpen() {
    return failures >= FAILURES;
  }

  synchronized Optional<Instant> lastAnswer() {
    return answered;
  }
}
