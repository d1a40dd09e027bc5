package dev.gatehouse.common.wait;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Items that their callers handle in batches, one batch after the other.
 *
 * <p>A caller that finds the lock free handles its own item and others that wait at that moment, and wakes their callers. Simultaneous
 * items therefore cost one batch, and a single item wakes no other thread. Callers do not queue for the lock: each would go on only when
 * the one before it has had its turn on a carrier, so that the last of many waits for as many turns.
 */
public final class BatchQueue<T> {

  /** Handles the items of a batch, the oldest first. What it throws is the outcome of each of them. */
  @FunctionalInterface
  public interface Handler<T> {
    void handle(List<T> batch) throws Exception;
  }

  /** A step during which nothing is handled. */
  @FunctionalInterface
  public interface Step<R, E extends Exception> {
    R run() throws E;
  }

  /** An item, and the caller that waits for it. */
  private static final class Entry<T> {
    private final T item;
    private final Thread caller = Thread.currentThread();
    private @Nullable Throwable failure;
    private volatile boolean isSettled;

    Entry(T item) {
      this.item = item;
    }

    void settle(@Nullable Throwable outcome) {
      failure = outcome;
      isSettled = true;
      wake();
    }

    void wake() {
      if (caller != Thread.currentThread()) {
        LockSupport.unpark(caller);
      }
    }
  }

  private final int most;
  private final Handler<T> handler;
  private final ConcurrentLinkedQueue<Entry<T>> entries = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param most items of one batch
   * @param handler is used by one thread at a time, which may be that of any caller, and must not add to this queue
   */
  public BatchQueue(int most, Handler<T> handler) {
    this.most = most;
    this.handler = handler;
  }

  /**
   * Returns once the item's batch was handled; an interrupt does not end the wait. What the handler wrote to the item is seen then.
   *
   * @return what the handler threw, the same object for all callers of the batch; empty if it threw nothing
   */
  public Optional<Throwable> handle(T item) {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("Whoever has the lock of a queue cannot wait for its items");
    }
    Entry<T> own = new Entry<>(item);
    entries.add(own);
    waiting.incrementAndGet();
    try {
      await(own);
    } finally {
      waiting.decrementAndGet();
      if (!own.isSettled && entries.remove(own)) {
        // An error has stopped this caller, who may have been the one to handle the items of others.
        wakeFirst();
      }
    }
    return Optional.ofNullable(own.failure);
  }

  /** Returns how many callers wait, those of the batch that is handled included. */
  public int waiting() {
    return waiting.get();
  }

  /** Takes a step while nothing is handled. Steps go before items that wait. */
  public <R, E extends Exception> R locked(Step<R, E> step) throws E {
    try {
      lock.lock();
      try {
        return step.run();
      } finally {
        lock.unlock();
      }
    } finally {
      // Also if an error kept this thread from the lock: callers may sleep because it had queued.
      wakeFirst();
    }
  }

  /** Handles what waits if nobody else does, or sleeps until the item is settled or whoever had the lock leaves it to this caller. */
  private void await(Entry<T> own) {
    boolean wasInterrupted = false;
    try {
      while (!own.isSettled) {
        // An interrupted thread would not sleep, and an interrupt of this one is not about the items of others.
        wasInterrupted |= Thread.interrupted();
        // Steps have queued for the lock, and are not overtaken for ever.
        if (!lock.hasQueuedThreads() && lock.tryLock()) {
          handleAndUnlock();
        } else {
          LockSupport.park(this);
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void handleAndUnlock() {
    try {
      handleBatch();
    } finally {
      // The queue is looked at after that: who found the lock taken has added an entry before, which is seen.
      lock.unlock();
      wakeFirst();
    }
  }

  private void wakeFirst() {
    Entry<T> first = entries.peek();
    if (first != null) {
      first.wake();
    }
  }

  /** Takes a batch and has it handled. An error before that is thrown here; in any case the callers of the batch must not sleep on. */
  private void handleBatch() {
    List<Entry<T>> batch = new ArrayList<>(2);
    @Nullable Throwable outcome = null;
    try {
      for (Entry<T> entry = entries.peek(); entry != null && batch.size() < most; entry = entries.peek()) {
        // In this order: an entry that the queue no longer has must be in the batch.
        batch.add(entry);
        entries.remove(entry);
      }
      outcome = outcome(batch);
    } catch (RuntimeException | Error e) {
      outcome = e;
      throw e;
    } finally {
      // Without an iterator: no memory is needed.
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).settle(outcome);
      }
    }
  }

  private @Nullable Throwable outcome(List<Entry<T>> batch) {
    if (batch.isEmpty()) {
      return null;
    }
    try {
      handler.handle(batch.stream().map(entry -> entry.item).toList());
      return null;
    } catch (Throwable e) {
      // Errors, too: all callers of the batch have the same outcome.
      return e;
    }
  }
}
