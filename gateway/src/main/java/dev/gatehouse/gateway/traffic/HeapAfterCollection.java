package dev.gatehouse.gateway.traffic;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The share of the heap that was free after the last collection of each of its pools; between collections most of the
 * used heap is garbage, so its size is meaningless. For collectors whose pools do not report it (ZGC, Epsilon) the
 * current use counts.
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
