package dev.gatehouse.common.audit;

import java.io.IOException;

/** The audit log. */
public interface AuditLog {

  /**
   * Records the event; when it returns, the operating system has the event. Throws {@link AuditUnavailable} if it cannot be written: the
   * caller must then refuse its operation.
   */
  void record(AuditEvent event);

  /** Forces recorded events to disk, if the log is on disk. */
  default void force() throws IOException {}
}
