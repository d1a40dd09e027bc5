package dev.gatehouse.common.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what is under way when its time is over. One thread looks at all of it every few milliseconds while there is something,
 * and rests while there is nothing: a timer of its own for each exchange wakes a thread twice an exchange, which costs more
 * than the exchange itself.
 */
final class Deadlines implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

  /** How late an end may come. */
  static final Duration TICK = Duration.ofMillis(20);

  /** Without anything under way; longer than the pause between two exchanges of a busy node. */
  private static final int IDLE_TICKS = 250;

  /** Something under way. */
  static final class Entry {
    private final long deadline;
    private final Runnable end;

    /** @param deadline of {@link System#nanoTime} */
    Entry(long deadline, Runnable end) {
      this.deadline = deadline;
      this.end = end;
    }
  }

  private final Set<Entry> running = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean resting;
  private volatile boolean closed;

  Deadlines(String name) {
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::watch);
  }

  /** Runs the end at the deadline or up to a tick later, unless it is removed before. */
  Entry add(long deadline, Runnable end) {
    Entry entry = new Entry(deadline, end);
    running.add(entry);
    // After the entry is there: the thread looks once more after it has said that it rests.
    if (resting) {
      LockSupport.unpark(thread);
    }
    return entry;
  }

  /** Nothing happens where it has ended already. */
  void remove(Entry entry) {
    running.remove(entry);
  }

  private void watch() {
    int idle = 0;
    while (!closed) {
      if (running.isEmpty() && ++idle > IDLE_TICKS) {
        resting = true;
        if (running.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        resting = false;
        idle = 0;
      } else {
        LockSupport.parkNanos(this, TICK.toNanos());
        idle = sweep() ? 0 : idle;
      }
    }
  }

  /** Whether there was anything. */
  private boolean sweep() {
    long now = System.nanoTime();
    boolean any = false;
    for (Entry entry : running) {
      any = true;
      if (entry.deadline - now <= 0 && running.remove(entry)) {
        end(entry);
      }
    }
    return any;
  }

  /** One that cannot be ended must not keep the others from their end. */
  private static void end(Entry entry) {
    try {
      entry.end.run();
    } catch (RuntimeException | Error e) {
      LOG.error("An outbound exchange could not be ended at its deadline", e);
    }
  }

  /** Nothing is ended any more. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
