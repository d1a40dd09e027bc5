package dev.gatehouse.gateway.traffic;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The free share of the JVM's direct memory or of the connections' part of it, whichever is smaller. */
final class DirectMemoryInUse implements DoubleSupplier {

  private final long most;
  private final BufferBudget buffers;
  private final List<BufferPoolMXBean> pools =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .toList();

  DirectMemoryInUse(long most, BufferBudget buffers) {
    this.most = most;
    this.buffers = buffers;
  }

  @Override
  public double getAsDouble() {
    long used = 0;
    for (BufferPoolMXBean pool : pools) {
      used += pool.getMemoryUsed();
    }
    return Math.min(buffers.free(), Math.max(0, 1 - (double) used / most));
  }
}
