package dev.gatehouse.common.key;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Instances of the crypto provider, which are costly to look up and good for one thread at a time. A few of them, shared by all threads: with
 * virtual threads a ThreadLocal would make one for each request. Whoever finds none makes one.
 */
public final class InstancePool<T> {

  private static final int SLOTS = 16;
  private static final int LOOKED_AT = 4;

  /** Makes an instance. */
  @FunctionalInterface
  public interface Factory<T> {
    T create() throws GeneralSecurityException;
  }

  /** What is done with an instance. */
  @FunctionalInterface
  public interface Use<T, R> {
    R with(T instance) throws GeneralSecurityException;
  }

  private final Factory<T> factory;
  private final AtomicReferenceArray<@Nullable T> idle = new AtomicReferenceArray<>(SLOTS);

  public InstancePool(Factory<T> factory) {
    this.factory = factory;
  }

  /** An instance whose use failed is dropped: its state is not known. */
  public <R> R use(Use<T, R> use) throws GeneralSecurityException {
    int start = (int) Thread.currentThread().threadId();
    T instance = taken(start);
    R result = use.with(instance);
    giveBack(start, instance);
    return result;
  }

  private T taken(int start) throws GeneralSecurityException {
    for (int i = 0; i < LOOKED_AT; i++) {
      int slot = Math.floorMod(start + i, SLOTS);
      T instance = idle.getPlain(slot) == null ? null : idle.getAndSet(slot, null);
      if (instance != null) {
        return instance;
      }
    }
    return factory.create();
  }

  private void giveBack(int start, T instance) {
    for (int i = 0; i < LOOKED_AT; i++) {
      if (idle.compareAndSet(Math.floorMod(start + i, SLOTS), null, instance)) {
        return;
      }
    }
  }
}
