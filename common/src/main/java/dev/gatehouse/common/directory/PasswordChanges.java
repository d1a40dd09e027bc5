package dev.gatehouse.common.directory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells the other parts of this process that a person's password was changed through it. What happens in another process, or at
 * the directory itself, nobody tells.
 */
public final class PasswordChanges {

  /** Hears of a change, after the directory has made it. May block. */
  @FunctionalInterface
  public interface Listener {
    void changed(String realm, PersonId person);
  }

  private final AtomicLong count = new AtomicLong();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Calls every listener; the count has grown before the first of them. */
  public void announce(String realm, PersonId person) {
    count.incrementAndGet();
    listeners.forEach(listener -> listener.changed(realm, person));
  }

  /** How many there were: the same number before and after says that none came between. */
  public long count() {
    return count.get();
  }
}
