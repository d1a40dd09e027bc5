package dev.gatehouse.gateway.recovery;

/** A backup, restore or recovery that did not happen, with a sentence for the operator. */
public final class RecoveryFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RecoveryFailed(String message) {
    super(message);
  }

  public RecoveryFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
