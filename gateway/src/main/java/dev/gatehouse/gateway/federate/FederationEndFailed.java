package dev.gatehouse.gateway.federate;

/** Signals that an end cannot continue for a reason that an operator can fix; the run may be resumed. */
public final class FederationEndFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public FederationEndFailed(String message) {
    super(message, null, false, false);
  }
}
