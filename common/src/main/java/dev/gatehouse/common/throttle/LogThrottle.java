package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Paces one line of the log: what may happen thousands of times a second is said at once, then once a minute with a count. */
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

  /** It happened once more. Returns how often so far where a line is due. */
  public OptionalLong count() {
    long so = times.incrementAndGet();
    long now = nanos.getAsLong();
    long due = next.get();
    return now - due >= 0 && next.compareAndSet(due, now + PAUSE) ? OptionalLong.of(so) : OptionalLong.empty();
  }

  /** How often it happened. */
  public long times() {
    return times.get();
  }
}
