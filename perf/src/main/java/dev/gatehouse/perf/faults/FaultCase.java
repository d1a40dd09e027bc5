package dev.gatehouse.perf.faults;

import java.util.List;

/** One attack or one kind of damage. It starts its own servers and removes everything at its end. */
public interface FaultCase {

  /** The name on the command line and in the report: lower case with hyphens. */
  String name();

  /** One sentence that describes the attack or damage. */
  String description();

  /**
   * Attacks or damages, and measures.
   *
   * @return at least one figure, in the order of the report
   * @throws Exception if the case could not be carried out; that is a failure of the case, not of the node
   */
  List<Figure> run(FaultContext context) throws Exception;
}
