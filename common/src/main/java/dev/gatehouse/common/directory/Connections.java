package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The places for connections to one server: never more than the cap, both uses together. Who holds a permit has a place.
 *
 * <p>Not the SDK's pool: that one has a cap for each pool and not for the server, and a health-check thread each.
 */
final class Connections {

  /** What a connection is for; it is never used for the other. */
  enum Use {
    /** Bound as the service account (or anonymous) from its opening. */
    SEARCH,
    /**
     * Bound as whoever logged in last; each use begins with a bind, which first makes the connection anonymous (RFC 4511,
     * section 4.2.1). So a login needs no second bind to get rid of the first.
     */
    BIND
  }

  /** Firewalls forget silent connections; those that rested longer are not used again. */
  private static final long LONGEST_REST_NANOS = TimeUnit.MINUTES.toNanos(2);

  private record Resting(LDAPConnection connection, long sinceNanos) {
    boolean tooLong() {
      return System.nanoTime() - sinceNanos > LONGEST_REST_NANOS;
    }
  }

  private final int cap;
  private final Semaphore permits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Resting> searching = new ArrayDeque<>();
  private final Deque<Resting> binding = new ArrayDeque<>();
  private int open;
  private boolean closed;

  Connections(int cap) {
    this.cap = cap;
    this.permits = new Semaphore(cap, true);
  }

  /** Waits for a permit; false where none came in time. */
  boolean enter(long millis) throws InterruptedException {
    return permits.tryAcquire(millis, TimeUnit.MILLISECONDS);
  }

  void leave() {
    permits.release();
  }

  /** A connection that rested, the last first; or none, and a place reserved for the one that the caller opens. */
  Optional<LDAPConnection> take(Use use) {
    List<LDAPConnection> dropped = new ArrayList<>();
    lock.lock();
    try {
      Deque<Resting> same = of(use);
      Resting last = same.pollFirst();
      if (last != null && !last.tooLong()) {
        return Optional.of(last.connection());
      }
      if (last != null) {
        // The others of this use rested longer still.
        dropped.add(last.connection());
        empty(same, dropped);
        open -= dropped.size();
      }
      if (open == cap) {
        // The caller's permit says that not all are in use: one rests for the other use.
        dropped.add(of(use == Use.SEARCH ? Use.BIND : Use.SEARCH).removeLast().connection());
        open--;
      }
      open++;
    } finally {
      lock.unlock();
      dropped.forEach(LDAPConnection::close);
    }
    return Optional.empty();
  }

  /** Takes a sound connection back. */
  void rest(Use use, LDAPConnection connection) {
    lock.lock();
    try {
      if (!closed) {
        of(use).addFirst(new Resting(connection, System.nanoTime()));
        return;
      }
      open--;
    } finally {
      lock.unlock();
    }
    connection.close();
  }

  /** The place is free again: its connection failed or could not be opened. */
  void free() {
    lock.lock();
    try {
      open--;
    } finally {
      lock.unlock();
    }
  }

  /** Closes what rests. */
  void dropResting() {
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
    dropResting();
  }

  /** How many are open now. */
  int open() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  private Deque<Resting> of(Use use) {
    return switch (use) {
      case SEARCH -> searching;
      case BIND -> binding;
    };
  }

  private static void empty(Deque<Resting> resting, List<LDAPConnection> into) {
    resting.forEach(r -> into.add(r.connection()));
    resting.clear();
  }
}
