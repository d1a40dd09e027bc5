package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditLog;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forces the audit log to disk every second, so that recording an event does not wait for the disk. */
final class ForcedAudit implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ForcedAudit.class);

  private final AuditLog audit;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-audit-force").daemon().factory());
  // Used by the thread only.
  private boolean failing;

  ForcedAudit(AuditLog audit) {
    this.audit = audit;
    // The task catches all errors, so the returned future need not be checked.
    var unused = thread.scheduleWithFixedDelay(this::force, 1, 1, TimeUnit.SECONDS);
  }

  private void force() {
    try {
      audit.force();
      failing = false;
    } catch (Throwable e) {
      // This may happen every second, so it is logged only once until it succeeds.
      if (!failing) {
        LOG.warn("The audit log cannot be forced to disk", e);
      }
      failing = true;
    }
  }

  /** Closing the audit log itself forces it to disk. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
