package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.db.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the partitions of the next days and removes those of days that are over their time, by the clock of the database: a node with a
 * wrong one removes nothing. One node does it for all.
 */
public final class EventRetention {

  private static final Logger LOG = LoggerFactory.getLogger(EventRetention.class);

  /** The name of the work among those that one node does for all. */
  public static final String WORK = "audit-partitions";

  private static final int DAYS_AHEAD = 7;

  private final Database database;
  private final Duration keep;
  private final EventPartitions partitions;
  private Optional<LocalDate> waitsFor = Optional.empty();

  /** @param keep days that ended before that time are removed */
  public EventRetention(Database database, Duration keep) {
    this.database = database;
    this.keep = keep;
    this.partitions = new EventPartitions(database.dataSource());
  }

  /** Makes and removes what is due; does nothing while the database is away. */
  public void run() throws SQLException {
    if (database.problem().isPresent()) {
      return;
    }
    Instant now;
    Optional<Instant> unarchived;
    try (Connection connection = database.dataSource().getConnection()) {
      now = EventSources.now(connection);
      unarchived = EventSources.unarchivedSince(connection);
    }
    LocalDate today = EventPartitions.day(now.toEpochMilli());
    NavigableSet<LocalDate> days = partitions.ensure(IntStream.rangeClosed(0, DAYS_AHEAD).mapToObj(today::plusDays).toList());
    LocalDate oldest = EventPartitions.day(now.minus(keep).toEpochMilli());
    Optional<LocalDate> held = unarchived.map(since -> EventPartitions.day(since.toEpochMilli())).filter(oldest::isAfter);
    note(held);
    List<LocalDate> old = List.copyOf(days.headSet(held.orElse(oldest)));
    if (!old.isEmpty()) {
      long begun = System.nanoTime();
      partitions.drop(old);
      LOG.info(
          "Removed the audit events of {} day(s) up to {} from the database in {} ms; files of the log stay",
          old.size(), old.getLast(), (System.nanoTime() - begun) / 1_000_000);
    }
    try (Connection connection = database.dataSource().getConnection()) {
      // A day more: what a node loaded last may be as old.
      EventSources.removeSilent(connection, now.minus(keep).minus(Duration.ofDays(1)));
    }
  }

  private void note(Optional<LocalDate> held) {
    if (held.isPresent() && !held.equals(waitsFor)) {
      LOG.warn("Audit events from {} on stay in the database until the archive of a node has their files, which are due", held.get());
    }
    waitsFor = held;
  }
}
