package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.node.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the configuration leaves out of the audit log, its index and its receivers. A change is recorded before it takes effect; the file
 * {@code leave-out} of the log's folder has what was in effect before.
 */
final class AuditFilter {

  private static final Logger LOG = LoggerFactory.getLogger(AuditFilter.class);
  private static final String NOTHING = "nothing is left out";

  private AuditFilter() {}

  /** Records a change, and sets what is left out of the log. */
  static void apply(Node.AuditConfig auditing, JsonLinesAuditLog log) {
    Path file = auditing.directory().resolve("leave-out");
    String now = text(auditing);
    try {
      String before = PrivateFiles.read(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(NOTHING);
      if (!now.equals(before)) {
        String detail = now + "; before: " + before;
        log.record(new AuditEvent.ConfigurationChanged(AuditEvent.Context.node(), "audit filter", "-", true, detail));
        PrivateFiles.replace(file, now);
      }
    } catch (IOException | FileUnreadable e) {
      LOG.warn("What is left out of the audit log cannot be noted in {}; the next start records it again: {}", file, e.toString());
    }
    log.leaveOut(auditing.leftOut());
  }

  private static String text(Node.AuditConfig auditing) {
    TreeMap<String, Set<String>> leftOut = new TreeMap<>();
    leftOut.put("log", auditing.leftOut());
    leftOut.put("index", auditing.unsearchable());
    auditing.syslog().forEach(receiver -> leftOut.put("syslog " + receiver.host() + ":" + receiver.port(), receiver.leftOut()));
    leftOut.values().removeIf(Set::isEmpty);
    leftOut.replaceAll((place, events) -> new TreeSet<>(events));
    return leftOut.isEmpty() ? NOTHING : "left out: " + leftOut;
  }
}
