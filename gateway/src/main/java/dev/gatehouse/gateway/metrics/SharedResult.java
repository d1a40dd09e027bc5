package dev.gatehouse.gateway.metrics;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A result that callers share: only one of them computes at a time, and those that wait meanwhile, or come within a short time
 * afterwards, take what the next or last computation gives. However many clients ask, the costs stay those of one.
 */
final class SharedResult<T> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Supplier<T> computation;
  private final long age;
  private final LongSupplier nanoTime;
  private long started;
  private Optional<T> last = Optional.empty();

  /**
   * @param age the result may be so old when it is asked for
   * @param nanoTime {@link System#nanoTime()}
   */
  SharedResult(Supplier<T> computation, Duration age, LongSupplier nanoTime) {
    this.computation = computation;
    this.age = age.toNanos();
    this.nanoTime = nanoTime;
  }

  T get() {
    long asked = nanoTime.getAsLong();
    lock.lock();
    try {
      if (last.isPresent() && started - asked + age > 0) {
        return last.get();
      }
      long now = nanoTime.getAsLong();
      T result = computation.get();
      started = now;
      last = Optional.of(result);
      return result;
    } finally {
      lock.unlock();
    }
  }
}
