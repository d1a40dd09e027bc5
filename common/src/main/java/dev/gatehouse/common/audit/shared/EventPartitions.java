package dev.gatehouse.common.audit.shared;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The partitions of the table of events: one for each day of UTC that has events, or soon will. */
final class EventPartitions {

  private static final String PREFIX = "audit_event_";

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_61756474L;

  /** Tables that one statement drops: a month. The locks of all of them are held at once. */
  private static final int DROPPED_AT_ONCE = 31;

  private final DataSource dataSource;

  EventPartitions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  static LocalDate day(long millis) {
    return LocalDate.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  static long begin(LocalDate day) {
    return day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  static String table(LocalDate day) {
    return PREFIX + DateTimeFormatter.BASIC_ISO_DATE.format(day);
  }

  /** Returns the days that have a partition. */
  NavigableSet<LocalDate> days() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return days(connection);
    }
  }

  private static NavigableSet<LocalDate> days(Connection connection) throws SQLException {
    NavigableSet<LocalDate> days = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_event'::regclass")) {
      while (row.next()) {
        String name = row.getString(1);
        try {
          days.add(LocalDate.parse(name.substring(PREFIX.length()), DateTimeFormatter.BASIC_ISO_DATE));
        } catch (DateTimeException | StringIndexOutOfBoundsException e) {
          throw new SQLException("The table " + name + " is a partition of audit_event, and not one of ours: detach it", e);
        }
      }
    }
    return days;
  }

  /** Makes the partitions of those days that have none; returns all days that have one. */
  NavigableSet<LocalDate> ensure(Collection<LocalDate> wanted) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      NavigableSet<LocalDate> days = days(connection);
      if (!days.containsAll(wanted)) {
        lock(connection);
        days = days(connection);
        for (LocalDate day : new TreeSet<>(wanted)) {
          if (days.add(day)) {
            make(connection, day);
          }
        }
      }
      connection.commit();
      return days;
    }
  }

  private static void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
    }
  }

  /** Attached, not made as a partition: that would wait for running searches, and stop the next ones meanwhile. */
  private static void make(Connection connection, LocalDate day) throws SQLException {
    String table = table(day);
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table " + table + " (like audit_event including defaults)");
      statement.execute(
          "alter table audit_event attach partition " + table + " for values from ('" + day + " 00:00:00Z') to ('" + day.plusDays(1)
              + " 00:00:00Z')");
    }
  }

  /** Removes the events of those days, up to a month in one statement. */
  void drop(Collection<LocalDate> old) throws SQLException {
    List<LocalDate> left = new ArrayList<>(new TreeSet<>(old));
    while (!left.isEmpty()) {
      List<LocalDate> some = left.subList(0, Math.min(DROPPED_AT_ONCE, left.size()));
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        lock(connection);
        try (Statement statement = connection.createStatement()) {
          statement.execute("drop table if exists " + some.stream().map(EventPartitions::table).collect(Collectors.joining(", ")));
        }
        connection.commit();
      }
      some.clear();
    }
  }
}
