package dev.gatehouse.perf.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps nodes on some cores of the machine, while the load and the peers may use all. */
public final class NodeCores {

  /** The environment variable with the cores, as taskset takes them: {@code 0} or {@code 0,1}. */
  public static final String VARIABLE = "GATEHOUSE_BENCH_NODE_CORES";

  private NodeCores() {}

  /** The command of a node, on the cores that the environment names; the JVM sees no others. */
  static List<String> of(List<String> command) {
    return of(command, System.getenv());
  }

  static List<String> of(List<String> command, Map<String, String> environment) {
    String cores = environment.getOrDefault(VARIABLE, "");
    if (cores.isEmpty()) {
      return command;
    }
    List<String> pinned = new ArrayList<>(List.of("taskset", "--cpu-list", cores));
    pinned.addAll(command);
    return pinned;
  }
}
