package dev.gatehouse.common.store;

/** A store is full or its medium failed; nothing was stored. Edges answer 503 with a reference id. */
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

  /** Refused on purpose: what space is left is kept for what ends something. Without a stack trace: it may come often. */
  public static StoreUnavailable lowOnSpace() {
    return new StoreUnavailable("Space is low: nothing new is stored", true);
  }

  /** Whether it was refused so that space is left for logouts and revocations. */
  public boolean isLowOnSpace() {
    return lowOnSpace;
  }

  /** Which error page says so. */
  public String page() {
    return lowOnSpace ? "storage-low" : "storage-unavailable";
  }
}
