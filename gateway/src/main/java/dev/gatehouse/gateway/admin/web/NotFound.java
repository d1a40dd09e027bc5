package dev.gatehouse.gateway.admin.web;

/** Signals that the resource in the path does not exist; answered with 404. */
public final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NotFound(String message) {
    super(message, null, false, false);
  }
}
