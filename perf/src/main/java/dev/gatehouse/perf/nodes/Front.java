package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.faults.Balancer.Spread;
import java.util.Locale;

/** How many nodes are behind an address, and how a balancer spreads requests over them. */
enum Front {
  ONE(1, Spread.EACH_REQUEST),
  TWO(2, Spread.EACH_REQUEST),
  THREE(3, Spread.EACH_REQUEST),
  FOUR(4, Spread.EACH_REQUEST),
  STICKY(2, Spread.STICKY);

  private final int nodes;
  private final Spread spread;

  Front(int nodes, Spread spread) {
    this.nodes = nodes;
    this.spread = spread;
  }

  int nodes() {
    return nodes;
  }

  Spread spread() {
    return spread;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The server's name in the report, where both roles have as many nodes. */
  String both() {
    return nodes + "+" + nodes + (spread == Spread.STICKY ? ", sticky" : "");
  }
}
