package dev.gatehouse.gateway.cli;

import java.io.IOException;

/** The connection of an answer was broken before its end: what was printed is not all. */
public final class IncompleteAnswer extends IOException {
  private static final long serialVersionUID = 1;

  /** @param reference that of the request in the node's log */
  IncompleteAnswer(String reference, IOException cause) {
    super(
        "The answer is INCOMPLETE: the node broke the connection, or it was lost. What is printed is only a part. If the node broke it, its log"
            + " says why, under reference " + reference + ".",
        cause);
  }
}
