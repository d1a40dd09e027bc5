package dev.gatehouse.perf.oauth;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who logs in: a caller has people of its own, few enough that every server has met all of them when it is warm.
 */
final class Visitors {

  /** Of one caller. */
  static final int EACH = 50;

  private Visitors() {}

  /** Numbers of people, from 1. @param caller from 0 */
  static List<Integer> of(int caller) {
    return IntStream.rangeClosed(1, EACH).map(n -> caller * EACH + n).boxed().toList();
  }
}
