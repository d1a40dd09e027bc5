package dev.gatehouse.gateway.traffic;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.gatehouse.common.node.Node;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The division of the JVM's direct memory ({@code -XX:MaxDirectMemorySize}): a share that stays free for the rest of
 * the process, the bodies of stored responses, and the buffers of connections. An allocation that does not fit is
 * refused before the JVM's own limit is reached, at which it would sleep.
 *
 * @param most bytes of direct memory
 * @param cacheBodies bytes for bodies of stored responses, including evicted ones that are not yet collected
 * @param buffers bytes for the buffers of all connections
 */
public record DirectMemoryPlan(long most, long cacheBodies, long buffers) {

  /** Enough for a few hundred connections. */
  static final long LEAST_BUFFERS = 16L << 20;

  private static final long LEAST_RESERVE = 8L << 20;
  private static final String FLAG = "MaxDirectMemorySize";

  /** A plan, or the reason why there is none. */
  public sealed interface Outcome {
    /** The configured sizes fit. */
    record Fits(DirectMemoryPlan plan) implements Outcome {}

    /**
     * The configured sizes do not fit.
     *
     * @param problem a sentence for operators
     */
    record TooLittle(String problem) implements Outcome {}
  }

  /**
   * Divides the memory.
   *
   * @param most bytes of direct memory
   * @param cache the configured {@code cache.memory}
   * @param buffers the configured {@code memory.buffers}
   */
  public static Outcome of(long most, long cache, Optional<Long> buffers) {
    long reserve = Math.max(LEAST_RESERVE, most / 8);
    long wanted = buffers.orElse(LEAST_BUFFERS);
    long left = most - reserve - cache;
    if (left < wanted) {
      return new Outcome.TooLittle(problem(most, reserve, cache, buffers, wanted));
    }
    // Evicted bodies use memory until they are collected; so as much again is desirable for them, but not required.
    long evicted = Math.min(cache, left - wanted);
    long bodies = cache + Math.max(0, buffers.isPresent() ? evicted : Math.min(evicted, (left - wanted) / 2));
    return new Outcome.Fits(new DirectMemoryPlan(most, bodies, buffers.orElse(most - reserve - bodies)));
  }

  /** The plan of a node in this JVM. */
  public static Outcome of(Node node) {
    return of(available(), node.gateway().cacheMemory(), node.gateway().bufferMemory());
  }

  private static String problem(long most, long reserve, long cache, Optional<Long> buffers, long wanted) {
    return "gatehouse.yaml: cache.memory ("
        + mb(cache)
        + (buffers.isPresent() ? ") and memory.buffers (" : ") and the buffers of connections (at least ")
        + mb(wanted)
        + ") do not fit into the direct memory of "
        + mb(most)
        + ", of which "
        + mb(reserve)
        + " stay free — write less, or start with GATEHOUSE_JAVA_OPTS=-XX:MaxDirectMemorySize="
        + mb(reserve + cache + wanted + (reserve + cache + wanted) / 4).replace(" MB", "m");
  }

  private static String mb(long bytes) {
    return ((bytes + (1 << 20) - 1) >> 20) + " MB";
  }

  /** Bytes of direct memory that this JVM permits; as large as the heap unless configured. */
  public static long available() {
    HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long configured = jvm == null ? 0 : Long.parseLong(jvm.getVMOption(FLAG).getValue());
    return configured > 0 ? configured : Runtime.getRuntime().maxMemory();
  }
}
