package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The search of a node with the threads that follow its log, if the node has one. */
public final class AuditSearch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditSearch.class);

  private final Optional<EventSearch> index;
  private final List<AutoCloseable> running;

  private AuditSearch(Optional<EventSearch> index, List<AutoCloseable> running) {
    this.index = index;
    this.running = List.copyOf(running);
  }

  /** Returns the search of a node without an index. */
  public static AuditSearch off() {
    return new AuditSearch(Optional.empty(), List.of());
  }

  /** Begins to follow the log. */
  public static AuditSearch of(AuditIndex index) {
    RepeatedTask follower = RepeatedTask.begin("audit-index", "Events of the audit log cannot be added to its index", index::follow);
    return new AuditSearch(Optional.of(index), List.of(follower));
  }

  /** @param running what follows the log, and is closed in this order after the search */
  public static AuditSearch of(EventSearch search, List<AutoCloseable> running) {
    return new AuditSearch(Optional.of(search), running);
  }

  /** Returns what is searched; empty if the node has no index. */
  public Optional<EventSearch> index() {
    return index;
  }

  @Override
  public void close() {
    index.ifPresent(EventSearch::close);
    for (AutoCloseable one : running) {
      try {
        one.close();
      } catch (Exception e) {
        LOG.warn("A follower of the audit log did not close in order", e);
      }
    }
  }
}
