package dev.gatehouse.common.valkey;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import java.util.Optional;

/** Records outages in the audit log: their begin with the reason, and their end with the number of requests that were served meanwhile. */
final class OutageRecord {

  private final AuditLog audit;
  private boolean lost;
  private long servedBefore;

  OutageRecord(AuditLog audit) {
    this.audit = audit;
  }

  /**
   * Looks once a second.
   *
   * @param served how many requests were served by sessions that nobody confirmed, ever
   */
  void look(Optional<String> problem, long served) {
    try {
      if (!lost && (problem.isPresent() || served > servedBefore)) {
        record("lost", 0, problem.orElse("for less than a second"));
        lost = true;
      }
      if (lost && problem.isEmpty()) {
        record("back", served - servedBefore, "");
        lost = false;
        servedBefore = served;
      }
    } catch (AuditUnavailable e) {
      // Tried again a second later.
      return;
    }
  }

  private void record(String change, long served, String detail) {
    audit.record(new AuditEvent.SharedStoreOutage(AuditEvent.Context.node(), "valkey", change, served, detail));
  }
}
