package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import java.util.Map;
import java.util.Optional;

/** Writes down what administrators do, before it is done: what cannot be audited does not happen. */
final class AdminAudit {
  private final AuditLog log;

  AdminAudit(AuditLog log) {
    this.log = log;
  }

  void record(String realm, String administrator, String action, Map<String, String> details) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    log.record(new AuditEvent.Administered(context, administrator, action, details));
  }
}
