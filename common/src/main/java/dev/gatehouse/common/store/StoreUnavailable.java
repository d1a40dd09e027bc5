package dev.gatehouse.common.store;

/** A store is full or its medium failed; nothing was stored. Edges answer 503 with a reference id. */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoreUnavailable(String message) {
    super(message);
  }

  public StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
