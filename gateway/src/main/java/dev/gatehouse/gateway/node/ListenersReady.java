package dev.gatehouse.gateway.node;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Reports whether the listeners that start after the node's own context are open. */
public final class ListenersReady {

  private final List<BooleanSupplier> edges = new CopyOnWriteArrayList<>();

  /**
   * Adds a listener that readiness waits for.
   *
   * @param listens whether all sockets of the started listener are open
   */
  public void add(BooleanSupplier listens) {
    edges.add(listens);
  }

  boolean isListening() {
    return edges.stream().allMatch(BooleanSupplier::getAsBoolean);
  }
}
