package dev.gatehouse.common.audit;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lines that wait to be written, and the lock of whoever writes.
 *
 * <p>A caller that finds the lock free writes its own line and all others that wait at that moment, and wakes their callers. Simultaneous
 * lines therefore cost one write, and a single line wakes no other thread. Callers do not queue for the lock: each would go on only when
 * the one before it has had its turn on a carrier, so that the last of many waits for as many turns.
 */
final class LineQueue {

  private static final int WRITTEN_AT_ONCE = 1000;

  /** A line, and the caller that waits for it. */
  static final class Line {
    private final Instant time;
    private final byte[] json;
    private final Thread caller = Thread.currentThread();
    private @Nullable Throwable failure;
    private volatile boolean isSettled;

    private Line(Instant time, byte[] json) {
      this.time = time;
      this.json = json;
    }

    Instant time() {
      return time;
    }

    byte[] json() {
      return json;
    }

    private void settle(@Nullable Throwable outcome) {
      failure = outcome;
      isSettled = true;
      wake();
    }

    private void wake() {
      if (caller != Thread.currentThread()) {
        LockSupport.unpark(caller);
      }
    }
  }

  /** Writes lines, one after the other. Returns the failure or null. */
  @FunctionalInterface
  interface Writer {
    @Nullable Throwable write(List<Line> lines);
  }

  /** A step during which nobody writes. */
  @FunctionalInterface
  interface Look<T> {
    T take() throws IOException;
  }

  private final Writer writer;
  private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicInteger waiting = new AtomicInteger();

  LineQueue(Writer writer) {
    this.writer = writer;
  }

  /** Returns when the line is settled: null if it was written, else the failure. */
  @Nullable Throwable write(Instant time, byte[] json) {
    Line line = new Line(time, json);
    waiting.incrementAndGet();
    lines.add(line);
    try {
      await(line);
      return line.failure;
    } finally {
      if (!line.isSettled && lines.remove(line)) {
        // An error has stopped this caller, who may have been the one to write for the others.
        wakeFirst();
      }
      waiting.decrementAndGet();
    }
  }

  /** The number of callers that wait. */
  int waiting() {
    return waiting.get();
  }

  <T> T locked(Look<T> look) throws IOException {
    writing.lock();
    try {
      return look.take();
    } finally {
      unlock();
    }
  }

  /** Writes what waits if nobody else does, or sleeps until the line is written or whoever had the lock leaves it to this caller. */
  private void await(Line line) {
    boolean wasInterrupted = false;
    while (!line.isSettled) {
      // Whoever looks at the log has queued for the lock, and is not overtaken for ever.
      if (!writing.hasQueuedThreads() && writing.tryLock()) {
        try {
          writeWaiting();
        } finally {
          unlock();
        }
      } else {
        LockSupport.park(this);
        // An interrupted thread would not sleep again.
        wasInterrupted |= Thread.interrupted();
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The lock is released before the queue is looked at: who found it taken has added a line before, which is seen here. */
  private void unlock() {
    writing.unlock();
    wakeFirst();
  }

  private void wakeFirst() {
    Line first = lines.peek();
    if (first != null) {
      first.wake();
    }
  }

  /** Writes a batch. An error on the way is that of the caller who writes; the callers of the other lines must not sleep on. */
  private void writeWaiting() {
    List<Line> batch = new ArrayList<>(2);
    @Nullable Throwable outcome = new IllegalStateException("the thread that wrote was stopped by an error");
    try {
      for (Line line = lines.peek(); line != null && batch.size() < WRITTEN_AT_ONCE; line = lines.peek()) {
        // In this order: a line that the queue no longer has must be in the batch.
        batch.add(line);
        lines.remove(line);
      }
      if (!batch.isEmpty()) {
        outcome = writer.write(batch);
      }
    } finally {
      for (Line line : batch) {
        line.settle(outcome);
      }
    }
  }
}
