package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import java.util.Set;

/** The search in the index files of a node. */
class IndexedEventsTest extends EventSearchContract {

  private AuditIndex index;

  @Override
  protected EventSearch open(JsonLinesAuditLog opened, AuditSegments segments, Set<String> leftOut) {
    index = new AuditIndex(root, segments, opened, KEEP, time, () -> false, leftOut);
    return index;
  }

  @Override
  protected void follow() throws Exception {
    index.follow();
  }
}
