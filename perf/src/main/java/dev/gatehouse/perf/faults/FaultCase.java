package dev.gatehouse.perf.faults;

import java.util.List;

/** One attack or one kind of damage. It starts its own servers and leaves nothing behind. */
public interface FaultCase {

  /** As the command line and the report name it: lower case with hyphens. */
  String name();

  /** One sentence: what is done to the node. */
  String description();

  /**
   * Attacks or damages, and measures.
   *
   * @return at least one figure, in the order of the report
   * @throws Exception where the case could not be carried out; that is a failure of the case, not of the node
   */
  List<Figure> run(FaultContext context) throws Exception;
}
