package dev.gatehouse.gateway.admin;

/** Signals an invalid parameter; answered with 400. */
final class BadRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadRequest(String message) {
    super(message, null, false, false);
  }
}
