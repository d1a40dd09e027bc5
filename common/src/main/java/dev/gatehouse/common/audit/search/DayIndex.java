package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The index of one day in an H2 database. Keys are negative times and numbers, so that the newest event is first in every index, which H2
 * reads in ascending order only.
 */
final class DayIndex implements AutoCloseable {

  private static final String SETTINGS = ";CACHE_SIZE=4096;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0;WRITE_DELAY=500";
  private static final String SUFFIX = ".mv.db";

  /** Columns with an index each. */
  private static final List<String> INDEXED =
      List.of("person", "name", "partner", "client", "reference", "reason", "address", "event");

  private static final List<String> COLUMNS =
      List.of("person", "name", "partner", "client", "reference", "reason", "address", "event", "realm");

  private final String url;
  private final Connection writer;
  private final PreparedStatement insert;
  private final PreparedStatement position;

  private DayIndex(String url, Connection writer) throws SQLException {
    this.url = url;
    this.writer = writer;
    createTables();
    writer.setAutoCommit(false);
    this.insert =
        writer.prepareStatement(
            "merge into event (id, at, file, pos, len, " + String.join(", ", COLUMNS) + ") key (id) values ("
                + IntStream.range(0, 5 + COLUMNS.size()).mapToObj(i -> "?").collect(Collectors.joining(", ")) + ")");
    this.position = writer.prepareStatement("merge into state (one, seq) key (one) values (1, ?)");
  }

  /** Opens the database; creates it if it does not exist. */
  static DayIndex open(Path file) throws SQLException {
    String name = file.toAbsolutePath().toString();
    String url = "jdbc:h2:file:" + name.substring(0, name.length() - SUFFIX.length()) + SETTINGS;
    Connection writer = connection(url);
    try {
      return new DayIndex(url, writer);
    } catch (SQLException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  private static Connection connection(String url) throws SQLException {
    return DriverManager.getConnection(url, "gatehouse", "");
  }

  private void createTables() throws SQLException {
    try (Statement sql = writer.createStatement()) {
      sql.execute(
          "create table if not exists event (id bigint primary key, at bigint not null, file bigint not null, pos bigint not null, "
              + "len int not null, " + COLUMNS.stream().map(name -> name + " varchar").collect(Collectors.joining(", ")) + ")");
      sql.execute("create index if not exists event_at on event (at, id)");
      for (String column : INDEXED) {
        sql.execute("create index if not exists event_" + column + " on event (" + column + ", at, id)");
      }
      sql.execute("create table if not exists state (one int primary key, seq bigint not null)");
    }
  }

  /** Adds events and notes the number of the last event that was followed, in one transaction. */
  void add(List<EventRow> rows, long followed) throws SQLException {
    try {
      for (EventRow row : rows) {
        insert.setLong(1, -row.seq());
        insert.setLong(2, -row.millis());
        insert.setLong(3, row.place().file());
        insert.setLong(4, row.place().offset());
        insert.setInt(5, row.place().length());
        for (int i = 0; i < COLUMNS.size(); i++) {
          insert.setString(6 + i, row.values().get(COLUMNS.get(i)));
        }
        insert.addBatch();
      }
      insert.executeBatch();
      position.setLong(1, followed);
      position.executeUpdate();
      writer.commit();
    } catch (SQLException | RuntimeException e) {
      writer.rollback();
      throw e;
    }
  }

  /** Returns the number of the last event that was followed; 0 if none was. */
  long followed() throws SQLException {
    try (Connection connection = connection(url);
        Statement sql = connection.createStatement();
        ResultSet row = sql.executeQuery("select seq from state")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Returns events, the newest first. */
  List<EventRow> find(AuditQuery query, int limit) throws SQLException {
    List<List<String>> alternatives = alternatives(List.copyOf(query.terms().keySet()));
    String sql =
        alternatives.stream().map(columns -> select(columns, query, limit)).collect(Collectors.joining(" union "));
    String ordered = alternatives.size() == 1 ? sql : "select * from (" + sql + ") order by at, id fetch first " + limit + " rows only";
    try (Connection connection = connection(url);
        PreparedStatement statement = connection.prepareStatement(ordered)) {
      int at = 1;
      for (List<String> columns : alternatives) {
        at = bind(statement, at, columns, query);
      }
      List<EventRow> rows = new ArrayList<>();
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          rows.add(row(found));
        }
      }
      return rows;
    }
  }

  /** Returns the columns to compare, one for each term, in all combinations: an index serves one column. */
  private static List<List<String>> alternatives(List<AuditTerm> terms) {
    List<List<String>> all = List.of(List.of());
    for (AuditTerm term : terms) {
      all =
          all.stream()
              .flatMap(
                  before ->
                      term.columns().stream()
                          .map(
                              column -> {
                                List<String> columns = new ArrayList<>(before);
                                columns.add(column);
                                return columns;
                              }))
              .toList();
    }
    return all;
  }

  /** The order begins with the columns that have one value, so that H2 finds an index with this order and sorts nothing. */
  private static String select(List<String> columns, AuditQuery query, int limit) {
    StringBuilder sql = new StringBuilder("(select * from event where at > ? and at <= ?");
    columns.forEach(column -> sql.append(" and ").append(column).append(" = ?"));
    if (query.after().isPresent()) {
      sql.append(" and at >= ? and (at > ? or id > ?)");
    }
    String first = columns.stream().filter(INDEXED::contains).min(byRarity()).map(column -> column + ", ").orElse("");
    return sql.append(" order by ").append(first).append("at, id fetch first ").append(limit).append(" rows only)").toString();
  }

  /** Fewer events have the same person than the same reason; the order of the columns says so. */
  private static java.util.Comparator<String> byRarity() {
    return java.util.Comparator.comparingInt(
        column -> column.equals("reference") ? -1 : column.equals("address") ? 2 : INDEXED.indexOf(column) * 3);
  }

  private static int bind(PreparedStatement statement, int from, List<String> columns, AuditQuery query) throws SQLException {
    int at = from;
    statement.setLong(at++, -query.to().toEpochMilli());
    statement.setLong(at++, -query.from().toEpochMilli());
    List<AuditTerm> terms = List.copyOf(query.terms().keySet());
    for (int i = 0; i < columns.size(); i++) {
      statement.setString(at++, EventRow.cut(query.terms().getOrDefault(terms.get(i), "")));
    }
    if (query.after().isPresent()) {
      statement.setLong(at++, -query.after().get().millis());
      statement.setLong(at++, -query.after().get().millis());
      statement.setLong(at++, -query.after().get().seq());
    }
    return at;
  }

  private static EventRow row(ResultSet found) throws SQLException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String column : COLUMNS) {
      String value = found.getString(column);
      if (value != null) {
        values.put(column, value);
      }
    }
    Place place = new Place(found.getLong("file"), found.getLong("pos"), found.getInt("len"));
    return new EventRow(-found.getLong("id"), -found.getLong("at"), values, place);
  }

  @Override
  public void close() throws SQLException {
    writer.close();
  }
}
