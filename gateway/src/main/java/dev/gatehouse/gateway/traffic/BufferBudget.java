package dev.gatehouse.gateway.traffic;

import java.util.function.LongSupplier;

/**
 * The budget of direct memory for the buffers of all connections. Up to half of it there are no restrictions; above,
 * reads become small and little may be buffered per connection; above three quarters the connections that hold most are
 * ended. A check costs one volatile read.
 */
public final class BufferBudget {

  private final long most;
  private final LongSupplier used;

  /**
   * @param most bytes
   * @param used supplies the bytes that are in use
   */
  public BufferBudget(long most, LongSupplier used) {
    this.most = most;
    this.used = used;
  }

  /** Returns whether connections must use little memory. */
  public boolean isTight() {
    return used.getAsLong() > most / 2;
  }

  /** Returns whether {@link #isTight} ends: the threshold is lower, so that the state does not change with every buffer. */
  public boolean isEasy() {
    return used.getAsLong() < most / 5 * 2;
  }

  /** Returns whether connections must be ended. */
  public boolean isShort() {
    return excess() > 0;
  }

  /** Bytes that must be freed before no connection must be ended; less than 1 if none must. */
  public long excess() {
    return used.getAsLong() - most / 4 * 3;
  }

  /** The free share, from 0 to 1. */
  public double free() {
    return Math.max(0, 1 - (double) used.getAsLong() / most);
  }

  /** The budget in bytes. */
  public long most() {
    return most;
  }

  /** The bytes in use. */
  public long used() {
    return used.getAsLong();
  }
}
