package dev.gatehouse.common.store;

/** Thrown if a store is full or its medium failed; nothing was stored. Edges answer 503 with a reference id. */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean lowOnSpace;

  public StoreUnavailable(String message) {
    super(message);
    this.lowOnSpace = false;
  }

  public StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
    this.lowOnSpace = false;
  }

  private StoreUnavailable(String message, boolean lowOnSpace) {
    super(message, null, false, false);
    this.lowOnSpace = lowOnSpace;
  }

  /**
   * Creates the deliberate refusal of new data: the space left is reserved for ending and revoking. Has no stack trace, because
   * it may occur often.
   */
  public static StoreUnavailable lowOnSpace() {
    return new StoreUnavailable("Space is low: nothing new is stored", true);
  }

  /** Returns whether the write was refused to reserve space for logouts and revocations. */
  public boolean isLowOnSpace() {
    return lowOnSpace;
  }
}
