package dev.gatehouse.common.directory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notifies the other parts of this process that a person's password was changed through it. Changes in another process or at the
 * directory itself are not noticed.
 */
public final class PasswordChanges {

  /** Is called after the directory has changed the password. May block. */
  @FunctionalInterface
  public interface Listener {
    void changed(String realm, PersonId person);
  }

  private final AtomicLong count = new AtomicLong();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Calls every listener, after incrementing the count. */
  public void announce(String realm, PersonId person) {
    count.incrementAndGet();
    listeners.forEach(listener -> listener.changed(realm, person));
  }

  /** Returns the number of changes so far: an equal number before and after means that there was none in between. */
  public long count() {
    return count.get();
  }
}
