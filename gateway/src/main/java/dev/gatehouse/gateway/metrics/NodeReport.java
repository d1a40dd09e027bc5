package dev.gatehouse.gateway.metrics;

/** What the listener says about the node; its methods may block. */
public interface NodeReport {

  /** A part of health. */
  enum Part {
    /** Everything that has a state. */
    NODE,
    /** Whether the process lives. */
    LIVE,
    /** Whether the node can serve. */
    READY,
    /** Whether the node can do its part: it may be without a store that all nodes share. */
    SERVING
  }

  /**
   * The state of a part.
   *
   * @param status one word, such as {@code UP}
   * @param available whether the part counts as healthy
   */
  record State(String status, boolean available) {}

  /** All metrics in Prometheus' text format 0.0.4. */
  byte[] metrics();

  State state(Part part);
}
