package dev.gatehouse.gateway.federate;

/** An end cannot go on, for a reason that an operator can mend; the run may be taken up again. */
public final class FederationEndFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public FederationEndFailed(String message) {
    super(message, null, false, false);
  }
}
