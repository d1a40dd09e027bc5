package dev.gatehouse.gateway.admin;

/** Signals that the resource in the path does not exist; answered with 404. */
final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotFound(String message) {
    super(message, null, false, false);
  }
}
