package dev.gatehouse.gateway.keychange;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.KeyChange;
import java.util.Optional;

/** The audit log of a stopped node, in which changes are those of the command line. */
public final class StoppedNodeLog implements KeyChangeLog {

  private static final String COMMAND_LINE = "command line";
  private static final String NODE = "-";

  private final AuditLog audit;

  public StoppedNodeLog(AuditLog audit) {
    this.audit = audit;
  }

  @Override
  public void record(KeyChange change) {
    AuditEvent.Context context = new AuditEvent.Context(NODE, NODE, Optional.empty());
    audit.record(new AuditEvent.Administered(context, COMMAND_LINE, change.action(), change.details()));
  }
}
