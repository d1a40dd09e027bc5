package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.search.AuditQuery.Cursor;
import dev.gatehouse.common.audit.search.AuditTerm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.postgresql.PGStatement;

/**
 * The statement for a question. A person is found by two columns, each of which has an index in the order of time: the newest of both are
 * taken, so that somebody with very many events is found as fast as others.
 *
 * @param keys what the columns must be, in the order of the conditions
 */
record EventStatement(String sql, List<Long> keys, int branches) {

  private static final String RANGE = "at >= ? and at <= ? and (at, source, seq) <= (?, ?, ?)";
  private static final String ORDER = " order by at desc, source desc, seq desc limit ?";

  /** An event that was found. */
  record Row(long millis, int source, long seq, byte[] line) {
    Cursor cursor() {
      return new Cursor(millis, source, seq);
    }
  }

  static EventStatement of(Map<AuditTerm, String> terms) {
    List<Long> keys = new ArrayList<>();
    StringBuilder conditions = new StringBuilder();
    Optional<Long> person = Optional.empty();
    for (Map.Entry<AuditTerm, String> term : new TreeMap<>(terms).entrySet()) {
      if (term.getKey() == AuditTerm.PERSON) {
        person = Optional.of(AuditTerm.PERSON.key(term.getValue()));
      } else {
        conditions.append(" and ").append(condition(term.getKey(), term.getValue()));
        keys.add((term.getKey() == AuditTerm.CLIENT ? AuditTerm.PARTNER : term.getKey()).key(term.getValue()));
      }
    }
    String events = "select at, source, seq, line from audit_event where " + RANGE + conditions;
    if (person.isEmpty()) {
      return new EventStatement(events + ORDER, List.copyOf(keys), 1);
    }
    keys.add(person.get());
    String both = "(" + events + " and person_key = ?" + ORDER + ") union (" + events + " and name_key = ?" + ORDER + ")";
    return new EventStatement("select at, source, seq, line from (" + both + ") found" + ORDER, List.copyOf(keys), 2);
  }

  private static String condition(AuditTerm term, String value) {
    return switch (term) {
      case REQUEST_ID -> "request_key = ?";
      case PERSON -> "person_key = ?";
      case CLIENT -> "partner_key = ? and is_client";
      case PARTNER -> "partner_key = ?";
      case ADDRESS -> "address_key = ?";
      case REASON -> "reason_key = ?";
      // So that the planner knows that the index has the event.
      case EVENT -> EventCopy.ROUTINE.contains(value) ? "event_key = ? and is_routine" : "event_key = ? and not is_routine";
      case REALM -> "realm_key = ?";
    };
  }

  /**
   * Returns the newest events of a window.
   *
   * @param lower the time of the oldest
   * @param upper the position of the newest
   */
  List<Row> rows(Connection connection, long lower, Cursor upper, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      // Each statement is planned for its values: the partitions of the window alone are looked at.
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      int at = 1;
      for (int branch = 0; branch < branches; branch++) {
        OffsetDateTime newest = EventSources.at(Instant.ofEpochMilli(upper.millis()));
        statement.setObject(at++, EventSources.at(Instant.ofEpochMilli(lower)));
        statement.setObject(at++, newest);
        statement.setObject(at++, newest);
        statement.setInt(at++, upper.source());
        statement.setLong(at++, upper.seq());
        for (long key : keys) {
          statement.setLong(at++, key);
        }
        statement.setInt(at++, most);
      }
      if (branches > 1) {
        statement.setInt(at, most);
      }
      List<Row> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(
              new Row(
                  row.getObject(1, OffsetDateTime.class).toInstant().toEpochMilli(), row.getInt(2), row.getLong(3), row.getBytes(4)));
        }
      }
      return rows;
    }
  }
}
