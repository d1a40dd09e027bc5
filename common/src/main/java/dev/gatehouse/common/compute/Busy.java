package dev.gatehouse.common.compute;

/** Signals that what was asked for is not computed in the time for which its caller waits: worth another try in a moment. */
public final class Busy extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Busy() {
    super("What computes this is busy", null, false, false);
  }
}
