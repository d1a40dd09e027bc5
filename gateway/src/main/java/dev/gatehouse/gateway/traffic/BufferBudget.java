package dev.gatehouse.gateway.traffic;

import java.util.function.LongSupplier;

/**
 * Direct memory for the buffers of all connections: how much there may be, and how much is taken now. Half of it is for
 * everybody; beyond, reads become small and little may wait for anybody; beyond three quarters the connections that hold
 * most are ended. Asking costs one volatile read.
 */
public final class BufferBudget {

  private final long most;
  private final LongSupplier used;

  /**
   * @param most bytes
   * @param used bytes that are taken at the moment
   */
  public BufferBudget(long most, LongSupplier used) {
    this.most = most;
    this.used = used;
  }

  /** Whether connections have to do with little. */
  public boolean isTight() {
    return used.getAsLong() > most / 2;
  }

  /** Whether it is over with {@link #isTight}: well below, so that it does not change with every buffer. */
  public boolean isEasy() {
    return used.getAsLong() < most / 5 * 2;
  }

  /** Whether somebody has to go. */
  public boolean isShort() {
    return excess() > 0;
  }

  /** Bytes that must be given up before nobody has to go; less than 1 where nobody has to. */
  public long excess() {
    return used.getAsLong() - most / 4 * 3;
  }

  /** From 0 to 1. */
  public double free() {
    return Math.max(0, 1 - (double) used.getAsLong() / most);
  }

  /** In bytes. */
  public long most() {
    return most;
  }

  /** In bytes. */
  public long used() {
    return used.getAsLong();
  }
}
