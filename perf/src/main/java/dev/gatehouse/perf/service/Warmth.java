package dev.gatehouse.perf.service;

import dev.gatehouse.perf.harness.Iteration;
import java.util.List;

/**
 * How soon after the start of its process a node was fast.
 *
 * @param reached whether it was in the time that was given to it
 * @param seconds to 80 % of the steady rate, in this second and in the next
 * @param steadyPerSecond the median of the last third of the time
 * @param from when the load began, in seconds after the start
 */
record Warmth(String work, boolean reached, double seconds, double steadyPerSecond, double from) {

  private static final double SHARE = 0.8;

  /** @param curve the iterations of one load, from the first one on */
  static Warmth of(String work, List<Iteration> curve) {
    double[] last =
        curve.subList(2 * curve.size() / 3, curve.size()).stream().mapToDouble(Iteration::perSecond).sorted().toArray();
    double steady = last[last.length / 2];
    double from = curve.getFirst().at() - curve.getFirst().seconds();
    for (int i = 0; i + 1 < curve.size(); i++) {
      if (curve.get(i).perSecond() >= SHARE * steady && curve.get(i + 1).perSecond() >= SHARE * steady) {
        return new Warmth(work, true, curve.get(i).at(), steady, from);
      }
    }
    return new Warmth(work, false, curve.getLast().at(), steady, from);
  }
}
