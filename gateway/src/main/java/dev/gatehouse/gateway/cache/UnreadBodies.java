package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.throttle.LogThrottle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored bodies that clients are taking. A body is in memory as long as a client has not taken it, also when the cache has removed it:
 * all of them together have a bound, each counted once. Beyond it, the bodies that have been taken longest are given up, and the responses
 * with them end; but only bodies that the cache has removed, because to end others would free nothing. All event loops share it.
 */
public final class UnreadBodies {

  private static final Logger LOG = LoggerFactory.getLogger(UnreadBodies.class);

  private final long most;
  private final Predicate<CachedBody> isStored;
  private final LogThrottle logged = new LogThrottle();
  private final LongAdder ended = new LongAdder();

  /** The clients of each body, which has been taken longest first. */
  private final Map<CachedBody, Set<Reader>> readers = new LinkedHashMap<>();

  private long bytes;

  /**
   * @param most bytes of all bodies; at least as many as the cache may store
   * @param isStored whether the cache has a body still; called on any thread
   */
  UnreadBodies(long most, Predicate<CachedBody> isStored) {
    this.most = most;
    this.isStored = isStored;
  }

  /** One client of a body. */
  public final class Reader {

    private final CachedBody body;
    private final Runnable end;

    private Reader(CachedBody body, Runnable end) {
      this.body = body;
      this.end = end;
    }

    /** The client has taken the body, or has left; a second call has no effect. */
    public void done() {
      remove(this);
    }
  }

  Reader add(CachedBody body, Runnable end) {
    Reader reader = new Reader(body, end);
    List<Reader> over = add(reader);
    for (Reader each : over) {
      each.end.run();
      ended.increment();
      logged
          .count()
          .ifPresent(
              times -> LOG.warn("Clients had not taken {} MB of removed pages; a response was ended ({} times so far)", most >> 20, times));
    }
    return reader;
  }

  /** Returns the clients whose responses must end. */
  private synchronized List<Reader> add(Reader reader) {
    Set<Reader> clients = readers.get(reader.body);
    if (clients == null) {
      clients = new HashSet<>();
      readers.put(reader.body, clients);
      bytes += reader.body.length();
    }
    clients.add(reader);
    return bytes > most ? makeRoom() : List.of();
  }

  private List<Reader> makeRoom() {
    List<Reader> over = new ArrayList<>();
    Iterator<Map.Entry<CachedBody, Set<Reader>>> eldest = readers.entrySet().iterator();
    while (bytes > most && eldest.hasNext()) {
      Map.Entry<CachedBody, Set<Reader>> next = eldest.next();
      if (!isStored.test(next.getKey())) {
        bytes -= next.getKey().length();
        over.addAll(next.getValue());
        eldest.remove();
      }
    }
    return over;
  }

  private synchronized void remove(Reader reader) {
    Set<Reader> clients = readers.get(reader.body);
    if (clients != null && clients.remove(reader) && clients.isEmpty()) {
      readers.remove(reader.body);
      bytes -= reader.body.length();
    }
  }

  /** The bytes of the bodies that clients have not taken. */
  public synchronized long bytes() {
    return bytes;
  }

  /** The number of responses that were ended since the start. */
  public long ended() {
    return ended.sum();
  }
}
