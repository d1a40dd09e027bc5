package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server under test and its backends: the processes whose CPU time counts, the server itself first. */
public record Server(String name, List<ServerProcess> processes) {

  /** The costs since each process was started. */
  public List<Iteration.Cost> costs() throws IOException {
    List<Iteration.Cost> costs = new ArrayList<>();
    for (ServerProcess each : processes) {
      costs.add(new Iteration.Cost(each.name(), each.cpuSeconds(), each.residentBytes() >> 20));
    }
    return costs;
  }

  double secondsSinceStart() {
    return (System.nanoTime() - processes.getFirst().startedNanos()) / 1e9;
  }
}
