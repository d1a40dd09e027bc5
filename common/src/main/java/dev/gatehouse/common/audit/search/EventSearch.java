package dev.gatehouse.common.audit.search;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Searches for events of the audit log: those of this node, or of all that share a database. */
public interface EventSearch extends AutoCloseable {

  /** Returns a page of events, the newest first, however long it takes. */
  AuditPage search(AuditQuery query) throws IOException;

  /**
   * Returns a page of events, the newest first. A search that takes longer stops, and says how far it looked back.
   *
   * @param atMost how long to look for events; each page comes further than the one before even if that is no time
   */
  AuditPage search(AuditQuery query, Duration atMost) throws IOException;

  /**
   * Returns which events can be found now; to be asked before the search of which it tells.
   *
   * @param to the time before which events are asked for
   */
  Coverage coverage(Instant to) throws IOException;

  @Override
  void close();
}
