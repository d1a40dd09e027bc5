package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import dev.gatehouse.common.wait.WatchedPermits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pool of connections to one server. Both uses together never exceed the cap. A caller with a permit is entitled to a
 * connection.
 *
 * <p>The SDK's pool is not used: its cap is for a pool and not for the server, and each pool has a health-check thread.
 */
final class Connections {

  /** The use of a connection. A connection that changes its use is bound anew before any other request. */
  enum Use {
    /** Bound as the service account, or anonymous since it was opened. */
    SEARCH,
    /**
     * Bound as the person who logged in last. Each use begins with a bind, which first makes the connection anonymous (RFC 4511,
     * section 4.2.1), so no second bind is needed to end the first.
     */
    BIND
  }

  /** Firewalls forget silent connections, so those that were idle for longer are not reused. */
  private static final long MAX_IDLE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** @param before the use that the connection had: if it is another one, the caller has to bind the connection anew */
  record Taken(LDAPConnection connection, Use before) {}

  private record Idle(LDAPConnection connection, long sinceNanos) {
    boolean tooLong() {
      return System.nanoTime() - sinceNanos > MAX_IDLE_NANOS;
    }
  }

  private final int cap;
  private final boolean searchesBind;
  private final WatchedPermits permits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Idle> searching = new ArrayDeque<>();
  private final Deque<Idle> binding = new ArrayDeque<>();
  private int open;
  private boolean closed;

  /**
   * @param searchesBind whether searches bind as a service account: an anonymous one needs a connection that never was bound
   * @param permitMillis for which a caller waits at most
   */
  Connections(int cap, boolean searchesBind, long permitMillis) {
    this.cap = cap;
    this.searchesBind = searchesBind;
    this.permits = new WatchedPermits(cap, permitMillis);
  }

  /** Waits for a permit; returns false if none came in time. */
  boolean enter() throws InterruptedException {
    return permits.acquire();
  }

  void leave() {
    permits.release();
  }

  /**
   * Returns the idle connection used last, or, if no more may be opened, one that was idle for the other use: opening costs both
   * sides several times as much as a bind. If there is none, reserves a slot for the one that the caller then opens.
   */
  Optional<Taken> take(Use use) {
    List<LDAPConnection> dropped = new ArrayList<>();
    lock.lock();
    try {
      Deque<Idle> idle = of(use);
      Idle last = idle.pollFirst();
      if (last != null && !last.tooLong()) {
        return Optional.of(new Taken(last.connection(), use));
      }
      if (last != null) {
        // The others of this use have been idle even longer.
        dropped.add(last.connection());
        empty(idle, dropped);
        open -= dropped.size();
      }
      if (open == cap) {
        // The caller has a permit, so not all connections are in use: one is idle for the other use.
        Use before = use == Use.SEARCH ? Use.BIND : Use.SEARCH;
        Idle other = of(before).removeLast();
        if (!other.tooLong() && (use == Use.BIND || searchesBind)) {
          return Optional.of(new Taken(other.connection(), before));
        }
        dropped.add(other.connection());
        open--;
      }
      open++;
    } finally {
      lock.unlock();
      dropped.forEach(LDAPConnection::close);
    }
    return Optional.empty();
  }

  /** Returns a working connection to the pool. */
  void putBack(Use use, LDAPConnection connection) {
    lock.lock();
    try {
      if (!closed) {
        of(use).addFirst(new Idle(connection, System.nanoTime()));
        return;
      }
      open--;
    } finally {
      lock.unlock();
    }
    connection.close();
  }

  /** Releases the slot of a connection that failed or could not be opened. */
  void free() {
    lock.lock();
    try {
      open--;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the idle connections. */
  void closeIdle() {
    List<LDAPConnection> dropped = new ArrayList<>();
    lock.lock();
    try {
      empty(searching, dropped);
      empty(binding, dropped);
      open -= dropped.size();
    } finally {
      lock.unlock();
    }
    dropped.forEach(LDAPConnection::close);
  }

  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    closeIdle();
  }

  /** Returns how many connections are in use now. */
  int used() {
    return cap - permits.free();
  }

  /** Returns about how many callers wait for a connection. */
  int waiting() {
    return permits.waiting();
  }

  int cap() {
    return cap;
  }

  /** Returns how many connections are open now. */
  int open() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  private Deque<Idle> of(Use use) {
    return switch (use) {
      case SEARCH -> searching;
      case BIND -> binding;
    };
  }

  private static void empty(Deque<Idle> idle, List<LDAPConnection> into) {
    idle.forEach(r -> into.add(r.connection()));
    idle.clear();
  }
}
