package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditArchive;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.syslog.SyslogSender;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is with the audit log because it is configured: the filter, the archive, and the senders to syslog receivers. */
final class AuditFollowers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditFollowers.class);

  private final List<AutoCloseable> running = new ArrayList<>();

  AuditFollowers(Node.AuditConfig auditing, JsonLinesAuditLog log, AuditSegments segments, Optional<AuditArchive> archive) {
    AuditFilter.apply(auditing, log);
    if (archive.isPresent()) {
      running.add(archive.get());
      running.add(
          RepeatedTask.begin("audit-archive", "The audit log cannot be archived", archive.get()::archiveIfDue));
    }
    for (Node.AuditConfig.SyslogReceiver receiver : auditing.syslog()) {
      running.add(SyslogSender.start(receiver, auditing.directory(), segments, log, host(), SyslogSender.Times.USUAL));
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "-";
    }
  }

  @Override
  public void close() {
    for (AutoCloseable one : running) {
      try {
        one.close();
      } catch (Exception e) {
        LOG.warn("A follower of the audit log did not close in order", e);
      }
    }
  }
}
