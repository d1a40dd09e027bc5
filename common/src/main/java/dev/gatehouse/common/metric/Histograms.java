package dev.gatehouse.common.metric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All families of histograms of a node. */
public final class Histograms {

  private final List<HistogramFamily> families = new CopyOnWriteArrayList<>();
  private final Consumer<HistogramFamily> added;

  /** @param added takes each new family, to publish it */
  public Histograms(Consumer<HistogramFamily> added) {
    this.added = added;
  }

  /** Histograms that are not published, for tests. */
  public static Histograms unpublished() {
    return new Histograms(family -> {});
  }

  void add(HistogramFamily family) {
    families.add(family);
    added.accept(family);
  }

  public List<HistogramFamily> families() {
    return List.copyOf(families);
  }
}
