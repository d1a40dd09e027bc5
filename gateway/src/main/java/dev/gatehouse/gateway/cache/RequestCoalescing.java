package dev.gatehouse.gateway.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Requests that are on their way to apps for the cache: who asks for the same meanwhile waits for their answer. */
public final class RequestCoalescing {

  /** What became of one. */
  public sealed interface Outcome {
    /** It is kept, and right for everybody who waited. */
    record Kept(StoredResponse response) implements Outcome {}

    /** It came and is not kept: everybody asks for themselves. */
    record NotKept() implements Outcome {}

    /** The app has failed. */
    record Failed() implements Outcome {}

    /** Whoever asked is gone before it came. */
    record Lost() implements Outcome {}
  }

  private record Key(CacheKey key, CacheScope scope, RoleKey roles, boolean peculiar) {}

  /** One of them. */
  public final class Flight {
    private final Key key;
    private final CacheFill fill;
    private final List<Consumer<Outcome>> waiting = new ArrayList<>();
    private boolean landed;

    private Flight(Key key, CacheFill fill) {
      this.key = key;
      this.fill = fill;
    }

    public CacheFill fill() {
      return fill;
    }

    /** Whether one may still wait; {@code then} is called by whoever brings the answer. */
    public synchronized boolean join(Consumer<Outcome> then) {
      return !landed && waiting.add(then);
    }

    /** Tells all who wait; only the first call counts. */
    public void land(Outcome outcome) {
      List<Consumer<Outcome>> told;
      synchronized (this) {
        if (landed) {
          return;
        }
        landed = true;
        told = List.copyOf(waiting);
        waiting.clear();
      }
      running.remove(key, this);
      told.forEach(then -> then.accept(outcome));
    }
  }

  /** @param leads whether the flight was begun for who asked */
  public record Boarding(Flight flight, boolean leads) {}

  private final ConcurrentHashMap<Key, Flight> running = new ConcurrentHashMap<>();

  /**
   * The flight for such requests; a new one where there is none, or where it began before a purge.
   *
   * @param peculiar as {@link CacheFillRequest} says: nobody else waits for the answer to such a request
   */
  public Boarding board(ResponseCache cache, CacheKey key, CacheScope scope, RoleKey roles, boolean peculiar) {
    Flight[] begun = {null};
    Flight flight =
        running.compute(
            new Key(key, scope, roles, peculiar),
            (k, known) -> {
              if (known != null && cache.isCurrent(known.fill())) {
                return known;
              }
              begun[0] = new Flight(k, cache.begin(key));
              return begun[0];
            });
    return new Boarding(flight, flight == begun[0]);
  }

  /** A flight that nobody joins. */
  public Flight unshared(ResponseCache cache, CacheKey key, CacheScope scope, RoleKey roles) {
    return new Flight(new Key(key, scope, roles, false), cache.begin(key));
  }

  int running() {
    return running.size();
  }
}
