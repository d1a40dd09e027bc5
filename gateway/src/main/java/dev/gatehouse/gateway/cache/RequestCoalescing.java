package dev.gatehouse.gateway.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The cache's active requests to apps. An identical request that arrives meanwhile waits for the response of the first,
 * unless the first one's client takes it slowly.
 */
public final class RequestCoalescing {

  /** The result of a request. */
  public sealed interface Outcome {
    /** The response is stored, and may be sent to every request that waited. */
    record Stored(StoredResponse response) implements Outcome {}

    /** The response arrived and is not stored: each waiting request must be sent to the app. */
    record NotStorable() implements Outcome {}

    /** The app has failed. */
    record Failed() implements Outcome {}

    /** The first client's connection closed before the response was complete. */
    record Lost() implements Outcome {}
  }

  private record Key(CacheKey key, CacheScope scope, RoleKey roles, boolean peculiar) {}

  /** One active request. */
  public final class PendingFill {
    private final Key key;
    private final CacheFill fill;
    private final List<Consumer<Outcome>> waiting = new ArrayList<>();
    private boolean completed;

    private PendingFill(Key key, CacheFill fill) {
      this.key = key;
      this.fill = fill;
    }

    public CacheFill fill() {
      return fill;
    }

    /**
     * Registers {@code then} for the result; returns false if the request is already complete. {@code then} is called
     * on the thread that completes the request.
     */
    public synchronized boolean join(Consumer<Outcome> then) {
      return !completed && waiting.add(then);
    }

    /** Later requests do not wait for this one, because its client delays the response; those that wait already still do. */
    public void delayed() {
      running.remove(key, this);
    }

    /** Passes the result to all waiting requests; only the first call has an effect. */
    public void complete(Outcome outcome) {
      List<Consumer<Outcome>> notified;
      synchronized (this) {
        if (completed) {
          return;
        }
        completed = true;
        notified = List.copyOf(waiting);
        waiting.clear();
      }
      running.remove(key, this);
      notified.forEach(then -> then.accept(outcome));
    }
  }

  /** @param isFirst whether this caller must send the request */
  public record JoinedFill(PendingFill pending, boolean isFirst) {}

  private final ConcurrentHashMap<Key, PendingFill> running = new ConcurrentHashMap<>();

  /**
   * The active request for such requests; a new one if there is none, or if it began before a purge.
   *
   * @param peculiar as in {@link CacheFillRequest}: other requests do not wait for the response to such a request
   */
  public JoinedFill joinOrBegin(ResponseCache cache, CacheKey key, CacheScope scope, RoleKey roles, boolean peculiar) {
    PendingFill[] begun = {null};
    PendingFill pending =
        running.compute(
            new Key(key, scope, roles, peculiar),
            (k, known) -> {
              if (known != null && cache.isCurrent(known.fill())) {
                return known;
              }
              begun[0] = new PendingFill(k, cache.begin(key));
              return begun[0];
            });
    return new JoinedFill(pending, pending == begun[0]);
  }

  /** A request that no other request waits for. */
  public PendingFill unshared(ResponseCache cache, CacheKey key, CacheScope scope, RoleKey roles) {
    return new PendingFill(new Key(key, scope, roles, false), cache.begin(key));
  }

  int running() {
    return running.size();
  }
}
