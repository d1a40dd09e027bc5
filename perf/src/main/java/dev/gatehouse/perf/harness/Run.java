package dev.gatehouse.perf.harness;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Iteration.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of a benchmark: warm-up, then rounds in which the servers alternate. A row that fails is reported and left out.
 */
public final class Run extends Resources {

  /** The length of a warm-up iteration, so that the report shows the curve. */
  private static final int WARM_UP_SECONDS = 10;

  /** A message may hold a whole page. */
  private static final int MOST_OF_MESSAGE = 2_000;

  /** Starts what a load needs. */
  @FunctionalInterface
  public interface LoadFactory {
    Load open() throws IOException, InterruptedException;
  }

  private final List<Iteration> iterations = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  Run(Path work) {
    super(work);
  }

  public List<Iteration> iterations() {
    return iterations;
  }

  List<String> failures() {
    return failures;
  }

  /**
   * Opens a load and warms the server up with it.
   *
   * @return the load, or nothing if it failed
   */
  public List<Load> warmUp(String name, LoadFactory factory, int seconds) throws InterruptedException {
    try {
      Load load = closeAtEnd(factory.open());
      for (int left = seconds; left > 0; left -= WARM_UP_SECONDS) {
        run(load, Phase.WARM_UP, Math.min(left, WARM_UP_SECONDS));
      }
      return List.of(load);
    } catch (IOException e) {
      fail(name, e);
      return List.of();
    }
  }

  /** Measures all loads in rounds. Loads of the same row follow each other, in every second round in the reverse order. */
  public void measure(List<? extends Load> loads, int rounds, int seconds) throws InterruptedException {
    measure(loads, rounds, 0, seconds);
  }

  /** @param uncounted the number of first rounds that are only warm-up */
  public void measure(List<? extends Load> loads, int rounds, int uncounted, int seconds) throws InterruptedException {
    Map<String, List<Load>> rows = new LinkedHashMap<>();
    loads.forEach(load -> rows.computeIfAbsent(load.row(), row -> new ArrayList<>()).add(load));
    for (int round = 0; round < rounds; round++) {
      for (List<Load> row : rows.values()) {
        for (Load load : round % 2 == 0 ? List.copyOf(row) : List.copyOf(row.reversed())) {
          try {
            run(load, round < uncounted ? Phase.WARM_UP : Phase.MEASUREMENT, seconds);
          } catch (IOException e) {
            fail(load.server().name() + ", " + load.row(), e);
            row.remove(load);
          }
        }
      }
    }
  }

  /** Runs one iteration and keeps its results. */
  public Iteration run(Load load, Phase phase, int seconds) throws IOException, InterruptedException {
    Iteration iteration = load.run(phase, seconds);
    iterations.add(iteration);
    Iteration.Step last = iteration.steps().getLast();
    System.err.println(
        format(
            "%s, %s, %s: %,.1f/s, %,.0f per CPU second, p50 %.2f ms, p99 %.2f ms (%.1f means)%s, %d failed",
            iteration.server(), iteration.row(), phase, iteration.perSecond(), iteration.perCpuSecond(), last.p50Ms(),
            last.p99Ms(), last.tail(), last.p999Ms() > 0 ? format(", p99.9 %.2f ms", last.p999Ms()) : "", iteration.failures()));
    if (iteration.failures() > 0) {
      failures.add(format("%s, %s: %d requests failed", iteration.server(), iteration.row(), iteration.failures()));
    }
    return iteration;
  }

  /** Keeps a failure for the report. */
  public void fail(String what, Exception failure) {
    String message = String.valueOf(failure.getMessage());
    failures.add(what + ": " + message.substring(0, Math.min(MOST_OF_MESSAGE, message.length())));
    System.err.println("FAILED: " + failures.getLast());
  }
}
