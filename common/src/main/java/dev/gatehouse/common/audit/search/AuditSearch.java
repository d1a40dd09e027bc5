package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.util.Optional;

/** The index of a node with the thread that follows the log, if the node has an index. */
public final class AuditSearch implements AutoCloseable {

  private final Optional<AuditIndex> index;
  private final Optional<RepeatedTask> follower;

  private AuditSearch(Optional<AuditIndex> index) {
    this.index = index;
    this.follower =
        index.map(
            followed ->
                RepeatedTask.begin("audit-index", "Events of the audit log cannot be added to its index", followed::follow));
  }

  /** Returns the search of a node without an index. */
  public static AuditSearch off() {
    return new AuditSearch(Optional.empty());
  }

  /** Begins to follow the log. */
  public static AuditSearch of(AuditIndex index) {
    return new AuditSearch(Optional.of(index));
  }

  /** Returns the index; empty if the node has none. */
  public Optional<AuditIndex> index() {
    return index;
  }

  @Override
  public void close() {
    index.ifPresent(AuditIndex::close);
    follower.ifPresent(RepeatedTask::close);
  }
}
