package dev.gatehouse.gateway.demo;

/** Signals that the demo cannot start, for a reason that its user can remove; the message is whole sentences. */
public final class DemoRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DemoRefused(String sentences) {
    super(sentences, null, false, false);
  }
}
