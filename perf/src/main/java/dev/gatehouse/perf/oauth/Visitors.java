package dev.gatehouse.perf.oauth;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The people of a caller: each caller has its own, few enough that every server knows all of them after the warm-up.
 */
final class Visitors {

  /** The number of people of one caller. */
  static final int EACH = 50;

  private Visitors() {}

  /**
   * The numbers of the people, from 1.
   *
   * @param caller from 0
   */
  static List<Integer> of(int caller) {
    return IntStream.rangeClosed(1, EACH).map(n -> caller * EACH + n).boxed().toList();
  }
}
