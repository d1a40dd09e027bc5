package dev.gatehouse.common.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Copies all tables of an installation into another, empty database of the same version. A table that was copied as a whole is not copied
 * again; one that was interrupted begins anew.
 */
public final class TableCopy {

  /** What belongs to the stores themselves, or to a deployment of several nodes. */
  private static final Set<String> NOT_COPIED =
      Set.of(
          "flyway_schema_history", "installation", "deployment", "key_file", "lease", "node", "node_switch", "migration", "otp_primary",
          "otp_heartbeat", "otp_server", "otp_followed", "otp_follower", "otp_use", "otp_count", "otp_isolated_mark", "otp_isolated_wrong",
          "migration_step", "administrator_job");

  /** Events of the audit logs, to be searched: nodes load them from their files. */
  private static final String AUDIT = "audit_";

  /** Tables that others refer to come first. */
  private static final List<String> FIRST = List.of("configuration_revision", "configuration_content");

  private static final int ROWS_AT_ONCE = 5_000;

  private final Database from;
  private final Database to;

  /** Receives what was done. */
  @FunctionalInterface
  public interface Progress {
    void copied(String table, long rows);
  }

  public TableCopy(Database from, Database to) {
    this.from = from;
    this.to = to;
  }

  /** Throws one sentence if the databases have different tables. */
  public void requireSame() {
    try (Connection source = from.dataSource().getConnection();
        Connection target = to.dataSource().getConnection()) {
      tables(source, target);
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The tables cannot be compared: " + e.getMessage(), e);
    }
  }

  /** Copies what is not there yet. @return the number of rows in all tables */
  public long copy(Progress progress) {
    try (Connection source = from.dataSource().getConnection();
        Connection target = to.dataSource().getConnection()) {
      source.setAutoCommit(false);
      target.setAutoCommit(false);
      long all = 0;
      for (String table : tables(source, target)) {
        long rows = copied(target, table);
        if (rows < 0) {
          rows = copy(source, target, table);
        }
        progress.copied(table, rows);
        all += rows;
      }
      return all;
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The tables cannot be copied: " + e.getMessage(), e);
    }
  }

  /** Returns the number of rows of all tables that are copied. */
  public static long rows(Database database) {
    try (Connection connection = database.dataSource().getConnection()) {
      long all = 0;
      for (String table : tables(connection)) {
        all += count(connection, table);
      }
      return all;
    } catch (SQLException e) {
      throw new DatabaseUnavailable("The tables cannot be counted: " + e.getMessage(), e);
    }
  }

  private static List<String> tables(Connection source, Connection target) throws SQLException {
    Set<String> there = tables(source);
    Set<String> here = tables(target);
    for (String table : there) {
      if (!here.contains(table) || !columns(source, table).equals(columns(target, table))) {
        throw different(table);
      }
    }
    if (!there.equals(here)) {
      here.removeAll(there);
      throw different(here.iterator().next());
    }
    List<String> ordered = new ArrayList<>(FIRST);
    there.stream().filter(table -> !FIRST.contains(table)).forEach(ordered::add);
    return ordered;
  }

  private static DatabaseUnavailable different(String table) {
    return new DatabaseUnavailable(
        "The table " + table + " is not the same in both databases: one was changed by another version of the program; move with that one.",
        new SQLException(table));
  }

  /** Returns the tables that are copied, in alphabetical order. */
  private static Set<String> tables(Connection connection) throws SQLException {
    Set<String> tables = new TreeSet<>();
    try (ResultSet found = connection.getMetaData().getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
      while (found.next()) {
        String name = found.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
        // The driver of PostgreSQL has no type for indexes of partitioned tables.
        String type = Objects.requireNonNullElse(found.getString("TABLE_TYPE"), "").toUpperCase(Locale.ROOT);
        if (type.endsWith("TABLE") && !NOT_COPIED.contains(name) && !name.startsWith(AUDIT)) {
          tables.add(name);
        }
      }
    }
    return tables;
  }

  private static Set<String> columns(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("select * from " + table + " where 1 = 0")) {
      return new TreeSet<>(names(none.getMetaData()));
    }
  }

  private static List<String> names(ResultSetMetaData columns) throws SQLException {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnName(i).toLowerCase(Locale.ROOT));
    }
    return names;
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns the number of rows that were copied when the table was done; -1 if it is not. */
  private static long copied(Connection target, String table) throws SQLException {
    try (PreparedStatement statement = target.prepareStatement("select records from migration_step where name = ?")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : -1;
      }
    }
  }

  private static long copy(Connection source, Connection target, String table) throws SQLException {
    try (Statement emptied = target.createStatement()) {
      emptied.executeUpdate("delete from " + table);
    }
    long rows = 0;
    try (Statement read = source.createStatement()) {
      read.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row = read.executeQuery("select * from " + table)) {
        List<String> names = names(row.getMetaData());
        String insert =
            "insert into " + table + names.stream().collect(Collectors.joining(", ", " (", ")"))
                + " values (" + String.join(", ", Collections.nCopies(names.size(), "?")) + ")";
        try (PreparedStatement write = target.prepareStatement(insert)) {
          while (row.next()) {
            for (int i = 1; i <= names.size(); i++) {
              copyValue(row, write, i);
            }
            write.addBatch();
            if (++rows % ROWS_AT_ONCE == 0) {
              write.executeBatch();
              target.commit();
            }
          }
          write.executeBatch();
        }
      }
    }
    long written = count(target, table);
    if (written != rows) {
      throw new DatabaseUnavailable("The table " + table + " has " + written + " rows in place of " + rows + ".", new SQLException(table));
    }
    try (PreparedStatement done = target.prepareStatement("insert into migration_step (name, records) values (?, ?)")) {
      done.setString(1, table);
      done.setLong(2, rows);
      done.executeUpdate();
    }
    target.commit();
    source.commit();
    return rows;
  }

  private static void copyValue(ResultSet from, PreparedStatement to, int column) throws SQLException {
    int type = from.getMetaData().getColumnType(column);
    if (from.getMetaData().getColumnTypeName(column).equals("timestamptz") || type == Types.TIMESTAMP_WITH_TIMEZONE) {
      to.setObject(column, from.getObject(column, OffsetDateTime.class));
      return;
    }
    switch (type) {
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> to.setBytes(column, from.getBytes(column));
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB -> to.setString(column, from.getString(column));
      default -> to.setObject(column, from.getObject(column));
    }
  }
}
