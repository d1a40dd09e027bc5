package dev.gatehouse.common.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Connections of {@link LocalhostHttp} between two requests. Servers close what is idle when they like, so that none is used
 * that was idle for two seconds; those that nobody wants are closed soon after.
 */
final class IdleConnections {

  private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int MOST_PER_ORIGIN = 16;
  private static final int MOST = 64;

  private record Idle(DirectConnection connection, long since) {
    boolean isFresh(long now) {
      return now - since < FRESH_NANOS;
    }
  }

  private final Map<Origin, Deque<Idle>> byOrigin = new HashMap<>();
  private int count;
  private boolean sweeping;
  private boolean closed;

  /** The one that was used last, if it is fresh and its server has not closed it. */
  Optional<DirectConnection> take(Origin origin) {
    for (Optional<Idle> last = last(origin); last.isPresent(); last = last(origin)) {
      if (last.get().isFresh(System.nanoTime()) && last.get().connection().isQuiet()) {
        return Optional.of(last.get().connection());
      }
      last.get().connection().close();
    }
    return Optional.empty();
  }

  private synchronized Optional<Idle> last(Origin origin) {
    Deque<Idle> idle = byOrigin.getOrDefault(origin, new ArrayDeque<>());
    Optional<Idle> last = Optional.ofNullable(idle.pollLast());
    last.ifPresent(taken -> count--);
    if (idle.isEmpty()) {
      byOrigin.remove(origin);
    }
    return last;
  }

  /** Keeps it for another request; false where there are enough: it is to be closed then. */
  synchronized boolean keep(DirectConnection connection) {
    Deque<Idle> idle = byOrigin.computeIfAbsent(connection.origin(), origin -> new ArrayDeque<>());
    if (closed || count >= MOST || idle.size() >= MOST_PER_ORIGIN) {
      return false;
    }
    idle.addLast(new Idle(connection, System.nanoTime()));
    count++;
    sweepSoon();
    return true;
  }

  private void sweepSoon() {
    if (!sweeping) {
      sweeping = true;
      CompletableFuture.delayedExecutor(FRESH_NANOS, TimeUnit.NANOSECONDS, task -> Thread.ofVirtual().start(task))
          .execute(this::sweep);
    }
  }

  private void sweep() {
    List<DirectConnection> stale = new ArrayList<>();
    synchronized (this) {
      long now = System.nanoTime();
      for (Deque<Idle> idle : byOrigin.values()) {
        while (!idle.isEmpty() && !idle.getFirst().isFresh(now)) {
          stale.add(idle.removeFirst().connection());
          count--;
        }
      }
      byOrigin.values().removeIf(Deque::isEmpty);
      sweeping = false;
      if (count > 0) {
        sweepSoon();
      }
    }
    stale.forEach(DirectConnection::close);
  }

  synchronized void close() {
    closed = true;
    byOrigin.values().forEach(idle -> idle.forEach(one -> one.connection().close()));
    byOrigin.clear();
    count = 0;
  }
}
