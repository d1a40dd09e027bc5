package dev.gatehouse.perf.oauth;

import java.util.List;

/** The figures of one flow at one server, from its windows after the warm-up. */
record FlowFigures(List<FlowWindow> rounds) {

  static FlowFigures of(List<FlowWindow> windows, String server, Flow flow) {
    return new FlowFigures(
        windows.stream()
            .filter(window -> window.phase().equals(FlowWindow.STEADY))
            .filter(window -> window.server().equals(server) && window.flow().equals(flow.word()))
            .toList());
  }

  boolean isEmpty() {
    return rounds.isEmpty() || done() == 0;
  }

  private long done() {
    return rounds.stream().mapToLong(FlowWindow::done).sum();
  }

  double perCpuSecond() {
    return done() / rounds.stream().mapToDouble(FlowWindow::ownCpuSeconds).sum();
  }

  double leastPerCpuSecond() {
    return rounds.stream().mapToDouble(w -> w.done() / w.ownCpuSeconds()).min().orElse(0);
  }

  double mostPerCpuSecond() {
    return rounds.stream().mapToDouble(w -> w.done() / w.ownCpuSeconds()).max().orElse(0);
  }

  /** Includes the directory and the database. */
  double perCpuSecondOfAll() {
    return done() / rounds.stream().mapToDouble(FlowWindow::allCpuSeconds).sum();
  }

  double perCpuSecondOf(String process) {
    return done() / rounds.stream().mapToDouble(w -> w.cpuSeconds(process)).sum();
  }

  double cpuMillis() {
    return 1000 / perCpuSecond();
  }

  double perSecond() {
    return rounds.stream().mapToDouble(FlowWindow::perSecond).average().orElse(0);
  }

  double p50Ms() {
    return rounds.stream().mapToDouble(FlowWindow::p50Ms).average().orElse(0);
  }

  /** Of the worst round. */
  double p99Ms() {
    return rounds.stream().mapToDouble(FlowWindow::p99Ms).max().orElse(0);
  }
}
