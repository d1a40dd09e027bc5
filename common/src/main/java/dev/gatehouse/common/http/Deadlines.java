package dev.gatehouse.common.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends exchanges whose time is over. One thread checks all of them every few milliseconds and sleeps while there is none. A
 * timer for each exchange would wake a thread twice per exchange, which costs more than the exchange itself.
 */
final class Deadlines implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

  /** The longest time by which an entry may end late. */
  static final Duration TICK = Duration.ofMillis(20);

  /** Ticks without any entry before the thread sleeps; longer than the pause between two exchanges of a busy node. */
  private static final int IDLE_TICKS = 250;

  /** An exchange under way. */
  static final class Entry {
    private final long deadline;
    private final Runnable end;

    /** @param deadline in the time of {@link System#nanoTime} */
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

  /** Runs {@code end} at the deadline or up to a tick later, unless the entry is removed before. */
  Entry add(long deadline, Runnable end) {
    Entry entry = new Entry(deadline, end);
    running.add(entry);
    // Checked after the entry is added: the thread looks at the entries once more after it has set the flag.
    if (resting) {
      LockSupport.unpark(thread);
    }
    return entry;
  }

  /** Removes the entry; does nothing if it has ended already. */
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

  /** Returns whether there was any entry. */
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

  /** Runs the end of one entry. A failure must not keep the other entries from ending. */
  private static void end(Entry entry) {
    try {
      entry.end.run();
    } catch (RuntimeException | Error e) {
      LOG.error("An outbound exchange could not be ended at its deadline", e);
    }
  }

  /** Stops the thread: no entry is ended any more. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
