package dev.gatehouse.gateway.node;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clock of this node with those of the shared stores. What a node with a wrong clock issues has expired at the others, and the
 * other way round: it leaves people to the others. It is wrong if all stores say so, by the same sign; one store alone may be wrong itself.
 */
final class ClockWatch implements AutoCloseable {

  /** Codes live for a minute; assertions have some seconds of tolerance. */
  static final Duration TOLERATED = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final InstantSource time;
  private final List<Clock> others;
  private final RepeatedTask task;
  private volatile Optional<String> problem = Optional.empty();

  /** The clock of a store; asking may fail. */
  interface Clock {
    Instant now();
  }

  ClockWatch(InstantSource time, List<Clock> others) {
    this.time = time;
    this.others = List.copyOf(others);
    compareIfPossible();
    this.task = RepeatedTask.every(PAUSE, "clock", "The clock cannot be compared with those of the stores", this::compare);
  }

  private void compareIfPossible() {
    try {
      compare();
    } catch (RuntimeException e) {
      LOG.debug("The clock is compared once all stores answer", e);
    }
  }

  private void compare() {
    List<Duration> ahead = others.stream().map(this::aheadOf).toList();
    boolean isAhead = ahead.stream().allMatch(difference -> difference.compareTo(TOLERATED) > 0);
    boolean isBehind = ahead.stream().allMatch(difference -> difference.compareTo(TOLERATED.negated()) < 0);
    Optional<String> now =
        isAhead || isBehind
            ? Optional.of(
                "The clock of this node is " + ahead.getFirst().abs().toSeconds() + " s " + (isAhead ? "ahead of" : "behind")
                    + " PostgreSQL and Valkey: set it")
            : Optional.empty();
    if (now.isPresent() && problem.isEmpty()) {
      LOG.error("{}", now.get());
    } else if (now.isEmpty() && problem.isPresent()) {
      LOG.info("The clock of this node is right again");
    }
    problem = now;
  }

  private Duration aheadOf(Clock other) {
    Instant before = time.instant();
    Instant there = other.now();
    return Duration.between(there, before.plus(Duration.between(before, time.instant()).dividedBy(2)));
  }

  /** Returns what is wrong with the clock of this node. */
  Optional<String> problem() {
    return problem;
  }

  @Override
  public void close() {
    task.close();
  }
}
