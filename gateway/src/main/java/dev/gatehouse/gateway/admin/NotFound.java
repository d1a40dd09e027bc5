package dev.gatehouse.gateway.admin;

/** What the path names does not exist: 404. */
final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotFound(String message) {
    super(message, null, false, false);
  }
}
