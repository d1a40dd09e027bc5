package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import java.util.Set;

/** The search in the index files of a node. */
class IndexedEventsTest extends EventSearchContract {

  @Override
  protected Opened open(JsonLinesAuditLog opened, AuditSegments segments, Set<String> leftOut) {
    AuditIndex index = new AuditIndex(root, segments, opened, KEEP, time, () -> false, leftOut);
    return new Opened(index, index::follow);
  }
}
