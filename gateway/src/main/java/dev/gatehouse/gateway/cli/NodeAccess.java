package dev.gatehouse.gateway.cli;

import java.io.IOException;

/** How a command reaches a node. An implementation declares options of picocli, which each command of an operation has. */
public interface NodeAccess {

  /**
   * Connects to the node.
   *
   * @throws IOException if a file that an option names cannot be read
   */
  NodeApi open() throws IOException;
}
