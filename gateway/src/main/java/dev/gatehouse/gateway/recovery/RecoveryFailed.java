package dev.gatehouse.gateway.recovery;

/** Signals that a backup, restore or recovery failed; the message is a sentence for the operator. */
public final class RecoveryFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RecoveryFailed(String message) {
    super(message);
  }

  public RecoveryFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
