package dev.gatehouse.gateway.admin.web;

/** Signals an invalid parameter; answered with 400. */
public final class BadRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadRequest(String message) {
    super(message, null, false, false);
  }
}
