package dev.gatehouse.gateway.traffic;

import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that is kept for people who have a session. While less than the reserve of the heap was free after the last
 * collections, nobody new is let in; once it is well above, everybody is again. Never blocks; looks at most a few times a
 * second.
 */
public final class MemoryReserve {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryReserve.class);

  /** How often it looks. */
  private static final long LOOK_NANOS = 250_000_000L;

  /** What must be free beyond the reserve before it is over, as a share of the reserve. */
  private static final double BEYOND = 0.3;

  private final double reserve;
  private final DoubleSupplier free;
  private volatile boolean low;
  private volatile long looked;

  /**
   * @param percent of the heap; 0 keeps nothing
   * @param free the share of the heap that was free after the last collection, 0 to 1
   */
  public MemoryReserve(int percent, DoubleSupplier free) {
    this.reserve = percent / 100.0;
    this.free = free;
    this.looked = System.nanoTime() - LOOK_NANOS;
  }

  /** Of this process. */
  public static MemoryReserve ofThisProcess(int percent) {
    return new MemoryReserve(percent, new HeapAfterCollection());
  }

  /** Whether nobody new may come. */
  public boolean isShort() {
    long now = System.nanoTime();
    if (reserve > 0 && now - looked >= LOOK_NANOS) {
      looked = now;
      look();
    }
    return low;
  }

  /** The share that is free, for the health endpoint. */
  public double free() {
    return free.getAsDouble();
  }

  private synchronized void look() {
    double now = free.getAsDouble();
    boolean next = low ? now < reserve * (1 + BEYOND) : now < reserve;
    if (next != low) {
      low = next;
      if (next) {
        LOG.warn("Memory is short: {} % of the heap is free; nobody new is let in", Math.round(now * 100));
      } else {
        LOG.info("Memory is no longer short: {} % of the heap is free", Math.round(now * 100));
      }
    }
  }
}
