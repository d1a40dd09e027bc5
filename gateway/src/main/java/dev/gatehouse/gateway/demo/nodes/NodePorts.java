package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.DemoPorts;

/**
 * The ports of the demo of several nodes, all on loopback.
 *
 * @param people those of the demo: HAProxy listens at them, except for app and directory
 * @param first the first one of those for servers and nodes
 */
public record NodePorts(DemoPorts people, int first) {
  /** How many ports in a row are used, from {@code --port-base}. */
  public static final int COUNT = 8 + 10 + 10 * NodesDemo.MOST;

  private static final int CONTRACT = 8100;

  public static NodePorts contract() {
    return new NodePorts(DemoPorts.contract(), CONTRACT);
  }

  public static NodePorts from(int base) {
    return new NodePorts(DemoPorts.from(base), base + 8);
  }

  /** The ports of one node. */
  record OfNode(int idp, int gateway, int admin, int metrics) {}

  int postgresql() {
    return first;
  }

  int valkey() {
    return first + 1;
  }

  /** @param node from 1 */
  OfNode node(int node) {
    int at = first + 10 * node;
    return new OfNode(at, at + 1, at + 2, at + 3);
  }
}
