package dev.gatehouse.gateway.admin.web;

import java.util.Map;
import org.springframework.http.HttpStatus;

/** Signals that a change names no revision that it was made for, or another one than that in use (RFC 9110, section 13; RFC 6585). */
public final class Precondition extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final HttpStatus status;
  private final transient Map<String, Object> properties;

  private Precondition(HttpStatus status, String message, Map<String, Object> properties) {
    super(message, null, false, false);
    this.status = status;
    this.properties = properties;
  }

  /** Returns the error of a request without {@code If-Match}; answered with 428. */
  public static Precondition required(String message) {
    return new Precondition(HttpStatus.PRECONDITION_REQUIRED, message, Map.of());
  }

  /**
   * Returns the error of a request whose {@code If-Match} does not hold; answered with 412.
   *
   * @param properties further members of the problem details
   */
  public static Precondition failed(String message, Map<String, Object> properties) {
    return new Precondition(HttpStatus.PRECONDITION_FAILED, message, properties);
  }

  /** Returns 412 or 428. */
  public HttpStatus status() {
    return status;
  }

  /** Returns the further members of the problem details. */
  public Map<String, Object> properties() {
    return properties;
  }
}
