package dev.gatehouse.common.wait;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Permits in the order in which callers came, all of whom wait for the same time at most. */
public final class WatchedPermits {

  private enum State {
    WAITING,
    GRANTED,
    EXPIRED
  }

  /** A caller that waits. */
  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final long end;

    Waiter(long end) {
      this.end = end;
    }

    /** Returns whether its wait ends so. */
    boolean settle(State outcome) {
      boolean isFirst = state.compareAndSet(State.WAITING, outcome);
      if (isFirst) {
        LockSupport.unpark(thread);
      }
      return isFirst;
    }
  }

  private final WaitWatch watch = new WaitWatch(this::isWaiting);
  private final long nanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** The oldest first. Used under the lock. */
  private final Deque<Waiter> waiting = new ArrayDeque<>();

  private int free;

  /** @param millis for which a caller waits at most, and up to a tenth of a second more */
  public WatchedPermits(int permits, long millis) {
    this.free = permits;
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Waits for a permit; returns false if none came in time. */
  public boolean acquire() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Waiter waiter;
    lock.lock();
    try {
      if (free > 0) {
        free--;
        return true;
      }
      waiter = new Waiter(System.nanoTime() + nanos);
      waiting.addLast(waiter);
    } finally {
      lock.unlock();
    }
    watch.begin();
    return await(waiter);
  }

  private boolean await(Waiter waiter) throws InterruptedException {
    while (waiter.state.get() == State.WAITING) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        leave(waiter);
        throw new InterruptedException();
      }
    }
    return waiter.state.get() == State.GRANTED;
  }

  private void leave(Waiter waiter) {
    lock.lock();
    try {
      waiting.remove(waiter);
    } finally {
      lock.unlock();
    }
    if (!waiter.settle(State.EXPIRED) && waiter.state.get() == State.GRANTED) {
      release();
    }
  }

  public void release() {
    lock.lock();
    try {
      for (Waiter next = waiting.pollFirst(); next != null; next = waiting.pollFirst()) {
        if (next.settle(State.GRANTED)) {
          return;
        }
      }
      free++;
    } finally {
      lock.unlock();
    }
  }

  private boolean isWaiting(long now) {
    lock.lock();
    try {
      for (Waiter oldest = waiting.peekFirst(); oldest != null; oldest = waiting.peekFirst()) {
        if (oldest.state.get() == State.WAITING && now - oldest.end < 0) {
          return true;
        }
        oldest.settle(State.EXPIRED);
        waiting.removeFirst();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many permits nobody has. */
  public int free() {
    lock.lock();
    try {
      return free;
    } finally {
      lock.unlock();
    }
  }

  /** Returns about how many callers wait. */
  public int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
