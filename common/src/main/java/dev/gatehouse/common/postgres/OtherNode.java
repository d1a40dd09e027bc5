package dev.gatehouse.common.postgres;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another node that runs, and what is said of it where it is in the way. */
record OtherNode(int number, String host, String version) {

  /** Returns why a node of that fixed number does not start. */
  static String ofSameNumber(int number, String host) {
    return "knows another node that runs with index " + number + ", on " + host + ": give each node its own index";
  }

  /** Returns what is to be said of those that are not of this version; empty if there are none. */
  static Optional<String> ofOtherVersion(Stream<OtherNode> nodes, String version) {
    return Optional.of(
            nodes
                .filter(node -> !node.version().equals(version))
                .map(node -> "node " + node.number() + " on " + node.host() + " is of version " + node.version())
                .collect(Collectors.joining("; ")))
        .filter(text -> !text.isEmpty())
        .map(
            text ->
                "This node is of version " + version + ", and " + text
                    + ": only versions that follow each other may run side by side, so bring all nodes to one version.");
  }
}
