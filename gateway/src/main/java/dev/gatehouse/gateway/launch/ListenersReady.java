package dev.gatehouse.gateway.launch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Whether the listeners that start after the node's own context are open. */
final class ListenersReady {

  private final List<BooleanSupplier> edges = new CopyOnWriteArrayList<>();

  /** @param listens whether all sockets of a started listener are open */
  void add(BooleanSupplier listens) {
    edges.add(listens);
  }

  boolean isListening() {
    return edges.stream().allMatch(BooleanSupplier::getAsBoolean);
  }
}
