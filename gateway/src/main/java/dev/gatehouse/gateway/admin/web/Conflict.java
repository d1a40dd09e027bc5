package dev.gatehouse.gateway.admin.web;

/** Signals that the state of the node does not permit the operation; answered with 409. */
public final class Conflict extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Conflict(String message) {
    super(message, null, false, false);
  }
}
