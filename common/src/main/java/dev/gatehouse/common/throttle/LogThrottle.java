package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits one line of the log for an event that may occur thousands of times a second: the first, then at most one a minute. */
public final class LogThrottle {

  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanos;
  private final AtomicLong times = new AtomicLong();
  private final AtomicLong next;

  public LogThrottle() {
    this(System::nanoTime);
  }

  /** @param nanos a clock like {@link System#nanoTime} */
  public LogThrottle(LongSupplier nanos) {
    this.nanos = nanos;
    this.next = new AtomicLong(nanos.getAsLong());
  }

  /** Counts an event. Returns the number of events since the start if it is to be logged. */
  public OptionalLong count() {
    long count = times.incrementAndGet();
    long now = nanos.getAsLong();
    long earliest = next.get();
    return now - earliest >= 0 && next.compareAndSet(earliest, now + PAUSE) ? OptionalLong.of(count) : OptionalLong.empty();
  }

  /** Returns the number of events since the start. */
  public long times() {
    return times.get();
  }
}
