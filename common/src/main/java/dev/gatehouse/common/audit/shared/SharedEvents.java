package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditQuery.Cursor;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.audit.shared.EventSources.Told;
import dev.gatehouse.common.db.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Searches the events of all nodes in the database, in windows of time from the newest on. A window grows while it is searched fast, and
 * shrinks when it was slow, so that a search can stop in time whatever is asked.
 */
public final class SharedEvents implements EventSearch {

  /** A window that takes as long is neither too wide nor too narrow. */
  private static final double WANTED_MILLIS = 40;

  private static final double MOST_GROWTH = 16;
  private static final double LEAST_GROWTH = 1.0 / 64;
  private static final long FIRST_SPAN = Duration.ofMinutes(1).toMillis();
  private static final long LEAST_SPAN = Duration.ofSeconds(1).toMillis();
  private static final long MOST_SPAN = Duration.ofDays(36_500).toMillis();

  /** Each partition that a statement reads is locked, with its indexes. */
  private static final int MOST_PARTITIONS = 40;

  /** The state of a statement that took too long. */
  private static final String CANCELLED = "57014";

  private final Database database;
  private final EventPartitions partitions;

  public SharedEvents(Database database) {
    this.database = database;
    this.partitions = new EventPartitions(database.dataSource());
  }

  @Override
  public AuditPage search(AuditQuery query) {
    return page(query, () -> false);
  }

  @Override
  public AuditPage search(AuditQuery query, Duration atMost) {
    long begun = System.nanoTime();
    return page(query, () -> System.nanoTime() - begun >= atMost.toNanos());
  }

  private AuditPage page(AuditQuery query, BooleanSupplier isLate) {
    try {
      return new Search(query, partitions.days()).page(isLate);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("The audit events in the database cannot be searched", e);
    }
  }

  @Override
  public Coverage coverage(Instant to) {
    try (Connection connection = database.dataSource().getConnection()) {
      List<Told> told = EventSources.told(connection);
      boolean isComplete = told.stream().allMatch(one -> isComplete(one, to));
      return new Coverage(isComplete, told.stream().map(Told::events).toList());
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("It cannot be found out which audit events are in the database", e);
    }
  }

  private static boolean isComplete(Told one, Instant to) {
    boolean isCurrent = !one.isSilent() && one.events().missing() <= EventFollower.AT_ONCE;
    return isCurrent || one.events().isStopped() || !one.events().until().isBefore(to);
  }

  @Override
  public void close() {
    // The database is closed by the code that opened it.
  }

  /** One search for one page. */
  private final class Search {
    private final AuditQuery query;
    private final NavigableSet<LocalDate> days;
    private final EventStatement statement;
    private final List<EventStatement.Row> rows = new ArrayList<>();
    private long span = FIRST_SPAN;

    /** The next window is much wider then: it is not worth stopping. */
    private boolean isQuick;

    Search(AuditQuery query, NavigableSet<LocalDate> days) {
      this.query = query;
      this.days = days;
      this.statement = EventStatement.of(query.terms());
    }

    AuditPage page(BooleanSupplier isLate) throws SQLException {
      Optional<Cursor> next = Optional.of(query.newest());
      while (next.isPresent()) {
        next = window(next.get());
        if (rows.size() > query.limit()) {
          List<EventStatement.Row> page = rows.subList(0, query.limit());
          return new AuditPage(lines(page), Optional.of(page.getLast().cursor()), Optional.empty());
        }
        if (next.isPresent() && !isQuick && isLate.getAsBoolean()) {
          break;
        }
      }
      return new AuditPage(lines(rows), next, next.map(Cursor::millis).map(Instant::ofEpochMilli));
    }

    /** Searches from that position down; returns where the next window begins, if there is one. */
    private Optional<Cursor> window(Cursor from) throws SQLException {
      LocalDate newest = days.floor(EventPartitions.day(from.millis()));
      if (newest == null) {
        return Optional.empty();
      }
      Cursor upper = newest.equals(EventPartitions.day(from.millis())) ? from : Cursor.endOf(EventPartitions.begin(newest.plusDays(1)) - 1);
      long oldest = Math.max(query.from().toEpochMilli(), EventPartitions.begin(days.first()));
      if (upper.millis() < oldest) {
        return Optional.empty();
      }
      List<LocalDate> some = days.headSet(newest, true).descendingSet().stream().limit(MOST_PARTITIONS).toList();
      while (true) {
        long lower = Math.max(Math.max(oldest, upper.millis() + 1 - span), EventPartitions.begin(some.getLast()));
        long begun = System.nanoTime();
        try (Connection connection = database.dataSource().getConnection()) {
          rows.addAll(statement.rows(connection, lower, upper, query.limit() + 1 - rows.size()));
        } catch (SQLException e) {
          if (!CANCELLED.equals(e.getSQLState()) || span <= LEAST_SPAN) {
            throw e;
          }
          grow(LEAST_GROWTH);
          continue;
        }
        double millis = (System.nanoTime() - begun) / 1e6;
        isQuick = millis < WANTED_MILLIS / 8;
        grow(WANTED_MILLIS / millis);
        return lower <= oldest ? Optional.empty() : Optional.of(Cursor.endOf(lower - 1));
      }
    }

    private void grow(double factor) {
      double grown = span * Math.clamp(factor, LEAST_GROWTH, MOST_GROWTH);
      span = Math.clamp((long) grown, LEAST_SPAN, MOST_SPAN);
    }

    private static List<byte[]> lines(List<EventStatement.Row> rows) {
      return rows.stream().map(EventStatement.Row::line).toList();
    }
  }
}
