package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server under test and its backends: the processes whose CPU time counts, the server itself first. */
record Measured(String name, List<ServerProcess> processes) {

  double[] cpu() throws IOException {
    double[] seconds = new double[processes.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = processes.get(i).cpuSeconds();
    }
    return seconds;
  }

  List<WorkWindow.Cost> costs(double[] before, double[] after) {
    List<WorkWindow.Cost> costs = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      costs.add(new WorkWindow.Cost(processes.get(i).name(), after[i] - before[i]));
    }
    return List.copyOf(costs);
  }
}
