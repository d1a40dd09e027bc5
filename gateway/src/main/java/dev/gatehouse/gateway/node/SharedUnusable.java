package dev.gatehouse.gateway.node;

/** A shared store must not be used; the message is one sentence with the remedy. */
public final class SharedUnusable extends RuntimeException {
  private static final long serialVersionUID = 1;

  SharedUnusable(String sentence) {
    super(sentence);
  }
}
