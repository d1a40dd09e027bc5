package dev.gatehouse.gateway.admin.web;

/** Signals that the resource in the path does not exist; answered with 404. */
public final class NotFound extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NotFound(String message) {
    super(message, null, false, false);
  }

  /** There is no realm of that name. */
  public static NotFound realm(String name) {
    return new NotFound("There is no realm " + name + ".");
  }

  /** This node has no identity provider. */
  public static NotFound identityProvider() {
    return new NotFound("This node has no identity provider.");
  }

  /** This node has no service provider. */
  public static NotFound serviceProvider() {
    return new NotFound("This node has no service provider.");
  }
}
