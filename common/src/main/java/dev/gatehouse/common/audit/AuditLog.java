package dev.gatehouse.common.audit;

import java.io.IOException;

/** The audit log. */
public interface AuditLog {

  /**
   * Records the event; when it returns, the event was handed to the operating system. Throws {@link AuditUnavailable}
   * where it cannot be written: the caller then refuses what it was about to do.
   */
  void record(AuditEvent event);

  /** Forces what was recorded to disk, where there is one. */
  default void force() throws IOException {}
}
