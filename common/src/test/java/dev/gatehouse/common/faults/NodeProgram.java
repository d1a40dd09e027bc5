package dev.gatehouse.common.faults;

import java.util.List;

/** How the program is started. */
@FunctionalInterface
public interface NodeProgram {

  /** Returns the command line with these arguments. */
  List<String> command(String... arguments);
}
