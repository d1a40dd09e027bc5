package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.throttle.LogThrottle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of request bodies that the gateway itself takes: messages to the service provider's endpoints, and POSTs that are kept until
 * after a login. Anybody may send them, so that all together have a bound. A body for which there is no room ends the one that has been
 * awaited longest, if that has had its time: clients that send slowly hold up nobody. The room of a body is free when its request was
 * answered. All event loops share it.
 */
public final class HeldBodies {

  private static final Logger LOG = LoggerFactory.getLogger(HeldBodies.class);

  /** The time that each body has where others need its room, in nanoseconds. */
  private static final long PATIENCE = Duration.ofMillis(250).toNanos();

  private final long most;
  private final LongSupplier nanoTime;
  private final LogThrottle refused = new LogThrottle();

  /** The bodies of which a part has arrived, and of which more is awaited: the eldest first. */
  private final LinkedHashSet<Held> awaited = new LinkedHashSet<>();

  private long bytes;

  /** @param most bytes of all bodies */
  public HeldBodies(long most) {
    this(most, System::nanoTime);
  }

  /** @param nanoTime as {@link System#nanoTime} */
  HeldBodies(long most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /** A sixteenth of the heap, because a body is there up to three times while it is joined and read; at least two of the largest. */
  public static HeldBodies of(NodeLimits.Messages limits) {
    long largest = Math.max(limits.endpointBody(), limits.replayBody());
    return new HeldBodies(Math.max(Runtime.getRuntime().maxMemory() / 16, 2 * largest));
  }

  /**
   * Begins a body, of which nothing has arrived.
   *
   * @param end called on any thread, if the body has to make room for another one; it must then be refused
   */
  public Held begin(Runnable end) {
    return new Held(end);
  }

  /** The bytes that are held now. */
  public synchronized long bytes() {
    return bytes;
  }

  /** @param ended gets the bodies that had to make room */
  private synchronized boolean take(Held by, int more, List<Held> ended) {
    if (by.over) {
      return false;
    }
    while (bytes + more > most) {
      Held eldest = awaited.isEmpty() ? by : awaited.getFirst();
      if (eldest == by || nanoTime.getAsLong() - eldest.since < PATIENCE) {
        return false;
      }
      free(eldest);
      ended.add(eldest);
    }
    if (by.taken == 0 && more > 0) {
      by.since = nanoTime.getAsLong();
      awaited.add(by);
    }
    by.taken += more;
    bytes += more;
    return true;
  }

  private synchronized void complete(Held held) {
    awaited.remove(held);
  }

  private synchronized void free(Held held) {
    held.over = true;
    awaited.remove(held);
    bytes -= held.taken;
    held.taken = 0;
  }

  /** The room of one body. Used by one event loop. */
  public final class Held {

    private final Runnable end;
    private long since;
    private long taken;
    private boolean over;

    private Held(Runnable end) {
      this.end = end;
    }

    /** Takes room for more bytes; returns false if there is none, or if the body had to make room for another one. */
    public boolean grow(int more) {
      List<Held> ended = new ArrayList<>(0);
      boolean fits = take(this, more, ended);
      ended.forEach(other -> other.end.run());
      if (!fits) {
        refused
            .count()
            .ifPresent(times -> LOG.warn("A request was refused because {} MB of bodies are held ({} times so far)", most >> 20, times));
      }
      return fits;
    }

    /** The body has arrived: it makes no room for others until {@link #release}. */
    public void complete() {
      HeldBodies.this.complete(this);
    }

    /** Gives the room back; a second call has no effect. */
    public void release() {
      free(this);
    }
  }
}
