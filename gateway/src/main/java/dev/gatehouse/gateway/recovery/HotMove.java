package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.HotData;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.common.store.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies sessions, refresh tokens, replay marks and due work into empty stores: what takes rights away first, what gives them last. Values
 * for one use do not move, because stores know their names as digests only; before they can be missed, tokens issued until now are refused.
 */
final class HotMove {

  private static final int AT_ONCE = 64;

  private final List<StoredKind> kinds;
  private final HotData from;
  private final Stores to;
  private final HotData into;
  private final Consumer<String> progress;

  HotMove(List<StoredKind> kinds, HotData from, Stores to, HotData into, Consumer<String> progress) {
    this.kinds = kinds;
    this.from = from;
    this.to = to;
    this.into = into;
    this.progress = progress;
  }

  /** Copies everything. @param now the source took nothing in since */
  void copy(Instant now) {
    into.loseAllBefore(now);
    report("replay marks", each(marks -> from.marks((digest, end) -> marks.accept(() -> into.mark(digest, end)))));
    for (StoredKind kind : kinds) {
      report(kind.name(), moved(kind));
    }
  }

  /** Returns a line for each kind with the number of its values. */
  static List<String> counts(List<StoredKind> kinds, HotData data) {
    List<String> lines = new ArrayList<>();
    for (StoredKind kind : kinds) {
      AtomicLong count = new AtomicLong();
      read(data, kind, count);
      lines.add("  " + kind.name() + ": " + count.get());
    }
    return lines;
  }

  private static void read(HotData data, StoredKind kind, AtomicLong count) {
    switch (kind) {
      case StoredKind.Sessions<?> sessions -> data.sessions(sessions, each -> count.incrementAndGet());
      case StoredKind.Work<?> work -> data.work(work, each -> count.incrementAndGet());
    }
  }

  private void report(String name, long count) {
    progress.accept("  " + name + ": " + count);
  }

  private long moved(StoredKind kind) {
    return switch (kind) {
      case StoredKind.Sessions<?> sessions -> movedSessions(sessions);
      case StoredKind.Work<?> work -> movedWork(work);
    };
  }

  private <S extends Session> long movedSessions(StoredKind.Sessions<S> kind) {
    SessionStore<S> store = to.sessions(kind.name(), kind.codec(), kind.expired());
    return each(tasks -> from.sessions(kind, session -> tasks.accept(() -> store.create(session))));
  }

  private <V> long movedWork(StoredKind.Work<V> kind) {
    DueStore<V> store = to.due(kind.name(), kind.codec());
    return each(tasks -> from.work(kind, work -> tasks.accept(() -> store.add(work))));
  }

  /** Runs tasks, some at once, until all are done; throws the first failure. */
  private static long each(Consumer<Consumer<Runnable>> source) {
    AtomicLong count = new AtomicLong();
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    Semaphore free = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      source.accept(
          task -> {
            requireNone(failure);
            free.acquireUninterruptibly();
            threads.execute(
                () -> {
                  try {
                    task.run();
                    count.incrementAndGet();
                  } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                  } finally {
                    free.release();
                  }
                });
          });
    }
    requireNone(failure);
    return count.get();
  }

  private static void requireNone(AtomicReference<@Nullable RuntimeException> failure) {
    RuntimeException first = failure.get();
    if (first != null) {
      throw first;
    }
  }
}
