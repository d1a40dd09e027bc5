package dev.gatehouse.common.audit;

/** Thrown if the audit log cannot be written; edges answer 503 with a reference id. */
public final class AuditUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public AuditUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
