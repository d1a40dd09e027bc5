package dev.gatehouse.perf.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Offers one kind of load to one server, for some seconds at a time. */
public abstract class Load implements AutoCloseable {

  private final Server server;
  private final String row;

  /** @param row the row of the report */
  protected Load(Server server, String row) {
    this.server = server;
    this.row = row;
  }

  public final Server server() {
    return server;
  }

  public final String row() {
    return row;
  }

  /**
   * Offers the load.
   *
   * @throws IOException if a response is not as expected
   */
  public abstract Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException;

  /** Whether it gives each operation a moment at which it is due. */
  protected boolean isPaced() {
    return false;
  }

  /** @param before the costs of the server at the beginning; the iteration ends now */
  protected final Iteration iteration(
      Iteration.Phase phase, double seconds, long operations, List<Iteration.Step> steps, List<Iteration.Cost> before)
      throws IOException {
    return new Iteration(
        server.name(), row, phase, server.secondsSinceStart(), seconds, operations, steps, difference(before, server.costs()), isPaced());
  }

  /** The costs between two moments. */
  protected static List<Iteration.Cost> difference(List<Iteration.Cost> before, List<Iteration.Cost> after) {
    List<Iteration.Cost> costs = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      Iteration.Cost cost = after.get(i);
      costs.add(new Iteration.Cost(cost.process(), cost.cpuSeconds() - before.get(i).cpuSeconds(), cost.residentMb()));
    }
    return List.copyOf(costs);
  }

  @Override
  public void close() throws IOException {}
}
