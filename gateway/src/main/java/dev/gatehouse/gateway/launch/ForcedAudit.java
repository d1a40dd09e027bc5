package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditLog;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forces the audit log to disk every second: who records an event does not wait for a disk. */
final class ForcedAudit implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ForcedAudit.class);

  private final AuditLog audit;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-audit-force").daemon().factory());
  // Used by the thread only.
  private boolean failing;

  ForcedAudit(AuditLog audit) {
    this.audit = audit;
    // An Error is caught in there: nothing is thrown that would have to be looked for in what this returns.
    var unused = thread.scheduleWithFixedDelay(this::force, 1, 1, TimeUnit.SECONDS);
  }

  private void force() {
    try {
      audit.force();
      failing = false;
    } catch (Throwable e) {
      // Every second until it is over: say it once.
      if (!failing) {
        LOG.warn("The audit log cannot be forced to disk", e);
      }
      failing = true;
    }
  }

  /** The log itself is forced to disk when it is closed. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
