package dev.gatehouse.common.faults;

import java.nio.file.Path;
import java.util.List;

/** How a node is started. */
@FunctionalInterface
public interface NodeProgram {

  /** Returns the command line of a node with that folder of configuration. */
  List<String> command(Path configuration);
}
