package dev.gatehouse.gateway.traffic;

import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reserve of memory for people who have a session. While less than the reserve of the heap was free after the last
 * collections, or less than that of direct memory is free now, no new sessions are opened; they are again when both are
 * well above it. Never blocks; checks at most a few times a second.
 */
public final class MemoryReserve {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryReserve.class);

  /** The interval of checks. */
  private static final long CHECK_NANOS = 250_000_000L;

  /** How much more than the reserve must be free before the shortage ends, as a share of the reserve. */
  private static final double BEYOND = 0.3;

  private final double reserve;
  private final DoubleSupplier heap;
  private final DoubleSupplier direct;
  private volatile boolean low;
  private volatile long checked;

  /**
   * @param percent of the heap and of direct memory; 0 reserves nothing
   * @param heap the share of the heap that was free after the last collection, 0 to 1
   * @param direct the share of direct memory that is free, 0 to 1
   */
  public MemoryReserve(int percent, DoubleSupplier heap, DoubleSupplier direct) {
    this.reserve = percent / 100.0;
    this.heap = heap;
    this.direct = direct;
    this.checked = System.nanoTime() - CHECK_NANOS;
  }

  /** The reserve of this process. */
  public static MemoryReserve ofThisProcess(int percent, DirectMemoryPlan plan, BufferBudget buffers) {
    return new MemoryReserve(percent, new HeapAfterCollection(), new DirectMemoryInUse(plan.most(), buffers));
  }

  /** Returns whether no new sessions may be opened. */
  public boolean isShort() {
    long now = System.nanoTime();
    if (reserve > 0 && now - checked >= CHECK_NANOS) {
      checked = now;
      check();
    }
    return low;
  }

  /** The free share of the heap, for the health endpoint. */
  public double freeHeap() {
    return heap.getAsDouble();
  }

  /** The free share of direct memory, for the health endpoint. */
  public double freeDirect() {
    return direct.getAsDouble();
  }

  private synchronized void check() {
    double ofHeap = heap.getAsDouble();
    double ofDirect = direct.getAsDouble();
    double now = Math.min(ofHeap, ofDirect);
    boolean next = low ? now < reserve * (1 + BEYOND) : now < reserve;
    if (next != low) {
      low = next;
      String text = "{} % of the heap and {} % of direct memory are free";
      if (next) {
        LOG.warn("Memory is short: " + text + "; no new sessions are opened", Math.round(ofHeap * 100), Math.round(ofDirect * 100));
      } else {
        LOG.info("Memory is no longer short: " + text, Math.round(ofHeap * 100), Math.round(ofDirect * 100));
      }
    }
  }
}
