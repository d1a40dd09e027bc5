package dev.gatehouse.common.revision;

import dev.gatehouse.common.db.Database;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The places of a change of the configuration at which a process is killed. */
enum KillPlace {
  /** The change is being audited. */
  AUDITED(false),
  /** The next revision is about to be stored. */
  SEALED(false),
  SECRET_REPLACED(false, "after insert on configuration_secret"),
  REVISION_ADDED(false, "after insert on configuration_revision"),
  CONTENT_ADDED(false, "after insert on configuration_content"),
  /** One of several. */
  FILE_ADDED(false, "after insert on configuration_file"),
  NOTHING_IN_USE(false, "after delete on configuration_in_use"),
  /** Everything is written, and not committed. */
  WRITTEN(false, "after insert on configuration_in_use"),
  /** It is committed, and the node still uses the former revision. */
  COMMITTED(true),
  /** The node uses it, and the copy for commands is the former one. */
  TAKEN_OVER(true);

  private final boolean isNew;
  private final Optional<String> event;

  KillPlace(boolean isNew) {
    this.isNew = isNew;
    this.event = Optional.empty();
  }

  KillPlace(boolean isNew, String event) {
    this.isNew = isNew;
    this.event = Optional.of(event);
  }

  /** Returns whether the new revision is in use at the next start, and otherwise the former one. */
  boolean isNew() {
    return isNew;
  }

  /** Has the database stop the process at places within a transaction. */
  void prepare(Database database) {
    event.ifPresent(
        when ->
            JdbcClient.create(database.dataSource())
                .sql("create trigger stop_at_" + name() + " " + when + " for each row call '" + StoppingTrigger.class.getName() + "'")
                .update());
  }
}
