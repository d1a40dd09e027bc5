package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.audit.AuditEvent.VisitorDecided;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.page.RefusalLog;

/** Writes what became of visitors to the audit log, and counts it. */
final class VisitRecords {

  private final AuditLog audit;
  private final RefusalLog refusals;
  private final VisitCounts counts;

  VisitRecords(AuditLog audit, RefusalLog refusals, VisitCounts counts) {
    this.audit = audit;
    this.refusals = refusals;
    this.counts = counts;
  }

  /** The home has decided. */
  void decided(VisitorDecided event) {
    audit.record(event);
    counts.decided(event.home(), event.outcome());
  }

  /**
   * No home has decided. That takes no hash, here or there, and whoever types names at a client would fill the audit log: it has a pace, with
   * a share for each client.
   */
  void undecided(VisitorDecided event) {
    if (refusals.admits(event.context().realm(), event.by())) {
      audit.record(event);
    }
    counts.decided(event.home(), event.outcome());
  }
}
