package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditCheckpoints;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.throttle.RepeatedTask;

/** Forces the audit log to disk, and signs checkpoints of it, as long as it is open. */
final class AuditUpkeep implements AutoCloseable {

  private final RepeatedTask forced;
  private final RepeatedTask signed;

  AuditUpkeep(JsonLinesAuditLog audit, AuditCheckpoints checkpoints) {
    this.forced = RepeatedTask.begin("audit-force", "The audit log cannot be forced to disk", audit::force);
    this.signed = RepeatedTask.begin("audit-checkpoint", "No checkpoint of the audit log can be written", checkpoints::writeIfDue);
  }

  @Override
  public void close() {
    signed.close();
    forced.close();
  }
}
