package dev.gatehouse.gateway.traffic;

import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that is kept for people who have a session. While less than the reserve of the heap was free after the last
 * collections, or less than that of direct memory is free now, nobody new is let in; once both are well above, everybody is
 * again. Never blocks; looks at most a few times a second.
 */
public final class MemoryReserve {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryReserve.class);

  /** How often it looks. */
  private static final long LOOK_NANOS = 250_000_000L;

  /** What must be free beyond the reserve before it is over, as a share of the reserve. */
  private static final double BEYOND = 0.3;

  private final double reserve;
  private final DoubleSupplier heap;
  private final DoubleSupplier direct;
  private volatile boolean low;
  private volatile long looked;

  /**
   * @param percent of the heap and of direct memory; 0 keeps nothing
   * @param heap the share of the heap that was free after the last collection, 0 to 1
   * @param direct the share of direct memory that is free, 0 to 1
   */
  public MemoryReserve(int percent, DoubleSupplier heap, DoubleSupplier direct) {
    this.reserve = percent / 100.0;
    this.heap = heap;
    this.direct = direct;
    this.looked = System.nanoTime() - LOOK_NANOS;
  }

  /** Of this process. */
  public static MemoryReserve ofThisProcess(int percent, DirectMemoryPlan plan, BufferBudget buffers) {
    return new MemoryReserve(percent, new HeapAfterCollection(), new DirectMemoryInUse(plan.most(), buffers));
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

  /** The share of the heap that is free, for the health endpoint. */
  public double freeHeap() {
    return heap.getAsDouble();
  }

  /** The share of direct memory that is free, for the health endpoint. */
  public double freeDirect() {
    return direct.getAsDouble();
  }

  private synchronized void look() {
    double ofHeap = heap.getAsDouble();
    double ofDirect = direct.getAsDouble();
    double now = Math.min(ofHeap, ofDirect);
    boolean next = low ? now < reserve * (1 + BEYOND) : now < reserve;
    if (next != low) {
      low = next;
      String text = "{} % of the heap and {} % of direct memory are free";
      if (next) {
        LOG.warn("Memory is short: " + text + "; nobody new is let in", Math.round(ofHeap * 100), Math.round(ofDirect * 100));
      } else {
        LOG.info("Memory is no longer short: " + text, Math.round(ofHeap * 100), Math.round(ofDirect * 100));
      }
    }
  }
}
