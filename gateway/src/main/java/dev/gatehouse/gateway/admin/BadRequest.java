package dev.gatehouse.gateway.admin;

/** A parameter is out of its range: 400. */
final class BadRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadRequest(String message) {
    super(message, null, false, false);
  }
}
