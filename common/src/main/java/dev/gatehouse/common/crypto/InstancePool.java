package dev.gatehouse.common.crypto;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of instances of the crypto provider, which are expensive to look up and usable by one thread at a time. All threads share
 * a few: with virtual threads, a ThreadLocal would create one for each request. A thread that finds none creates one.
 */
public final class InstancePool<T> {

  private static final int SLOTS = 16;
  private static final int SLOTS_TO_TRY = 4;

  /** Creates an instance. */
  @FunctionalInterface
  public interface Factory<T> {
    T create() throws GeneralSecurityException;
  }

  /** An operation on an instance. */
  @FunctionalInterface
  public interface Use<T, R> {
    R with(T instance) throws GeneralSecurityException;
  }

  private final Factory<T> factory;
  private final AtomicReferenceArray<@Nullable T> idle = new AtomicReferenceArray<>(SLOTS);

  public InstancePool(Factory<T> factory) {
    this.factory = factory;
  }

  /** Uses an instance. If the operation fails, the instance is dropped, because its state is unknown. */
  public <R> R use(Use<T, R> use) throws GeneralSecurityException {
    int start = (int) Thread.currentThread().threadId();
    T instance = taken(start);
    R result = use.with(instance);
    giveBack(start, instance);
    return result;
  }

  private T taken(int start) throws GeneralSecurityException {
    for (int i = 0; i < SLOTS_TO_TRY; i++) {
      int slot = Math.floorMod(start + i, SLOTS);
      T instance = idle.getPlain(slot) == null ? null : idle.getAndSet(slot, null);
      if (instance != null) {
        return instance;
      }
    }
    return factory.create();
  }

  private void giveBack(int start, T instance) {
    for (int i = 0; i < SLOTS_TO_TRY; i++) {
      if (idle.compareAndSet(Math.floorMod(start + i, SLOTS), null, instance)) {
        return;
      }
    }
  }
}
