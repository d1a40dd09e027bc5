package dev.gatehouse.gateway.traffic;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * How much of the heap was free after the last collection of each of its pools: what is used between two collections says
 * nothing, for most of it is garbage. A collector whose pools do not say so (ZGC, Epsilon) is asked for what is used now.
 */
final class HeapAfterCollection implements DoubleSupplier {

  private final List<MemoryPoolMXBean> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP).toList();

  @Override
  public double getAsDouble() {
    long used = 0;
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage after = pool.getCollectionUsage();
      used += after != null ? after.getUsed() : pool.getUsage().getUsed();
    }
    long most = Runtime.getRuntime().maxMemory();
    return most <= 0 ? 1 : Math.max(0, 1 - (double) used / most);
  }
}
