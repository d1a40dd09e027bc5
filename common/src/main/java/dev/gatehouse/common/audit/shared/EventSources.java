package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.search.Coverage.NodeEvents;
import dev.gatehouse.common.postgres.NodeTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows that say how far the log of each node is loaded. */
final class EventSources {

  /** A node that has said nothing for longer is behind, or gone. */
  private static final int SILENT_SECONDS = 5;

  private EventSources() {}

  /**
   * A log.
   *
   * @param seq the number of its last event that is loaded
   * @param chain of that event; empty if none is
   */
  record Source(int id, long seq, String chain) {}

  /**
   * How far a log is.
   *
   * @param written the number of the last event that the node has written
   * @param until its events up to this time are loaded
   * @param unarchivedSince the time of the oldest event that should be in the archive and is not
   */
  record Reached(long seq, String chain, long written, Instant until, boolean isStopped, Optional<Instant> unarchivedSince) {}

  /** What a node says of itself, as the database knows it. */
  record Told(NodeEvents events, boolean isSilent) {}

  /** Returns the logs of a data folder, the newest first. */
  static List<Source> of(Connection connection, String instance) throws SQLException {
    List<Source> found = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("select id, seq, chain from audit_source where instance = ? order by id desc")) {
      statement.setString(1, instance);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(new Source(row.getInt(1), row.getLong(2), row.getString(3)));
        }
      }
    }
    return found;
  }

  /** Adds a log of which nothing is loaded up to that number; others of the data folder have ended. */
  static Source add(Connection connection, NodeTable.Self self, long seq) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("update audit_source set stopped = true, unarchived_since = null where instance = ?")) {
      statement.setString(1, self.instance());
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into audit_source (instance, node, host, seq, chain, written, loaded_until, told_at, stopped)
            values (?, ?, ?, ?, '', ?, to_timestamp(0), now(), false) returning id
            """)) {
      statement.setString(1, self.instance());
      statement.setInt(2, self.number());
      statement.setString(3, self.host());
      statement.setLong(4, seq);
      statement.setLong(5, seq);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Source(row.getInt(1), seq, "");
      }
    }
  }

  /** Says how far a log is; returns whether it was where the caller knew it, and nobody else loads it. */
  static boolean advance(Connection connection, NodeTable.Self self, Source from, Reached to) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            update audit_source set node = ?, host = ?, seq = ?, chain = ?, written = ?, loaded_until = ?, told_at = now(), stopped = ?,
              unarchived_since = ?
            where id = ? and seq = ?
            """)) {
      statement.setInt(1, self.number());
      statement.setString(2, self.host());
      statement.setLong(3, to.seq());
      statement.setString(4, to.chain());
      statement.setLong(5, to.written());
      statement.setObject(6, at(to.until()));
      statement.setBoolean(7, to.isStopped());
      if (to.unarchivedSince().isPresent()) {
        statement.setObject(8, at(to.unarchivedSince().get()));
      } else {
        statement.setNull(8, Types.TIMESTAMP_WITH_TIMEZONE);
      }
      statement.setInt(9, from.id());
      statement.setLong(10, from.seq());
      return statement.executeUpdate() == 1;
    }
  }

  static OffsetDateTime at(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  /** Returns what all nodes say. */
  static List<Told> told(Connection connection) throws SQLException {
    List<Told> all = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select node, host, loaded_until, written - seq, stopped, told_at < now() - make_interval(secs => ?)
            from audit_source order by node, id
            """)) {
      statement.setInt(1, SILENT_SECONDS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          NodeEvents events =
              new NodeEvents(
                  row.getInt(1), row.getString(2), row.getObject(3, OffsetDateTime.class).toInstant(), row.getLong(4), row.getBoolean(5));
          all.add(new Told(events, row.getBoolean(6)));
        }
      }
    }
    return all;
  }

  /** Returns the time of the oldest event that the archive of some node still lacks. */
  static Optional<Instant> unarchivedSince(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select min(unarchived_since) from audit_source");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return Optional.ofNullable(row.getObject(1, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
  }

  /** Forgets logs of which nothing was heard since before that time: their events are gone, too, unless they still wait for an archive. */
  static void removeSilent(Connection connection, Instant since) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("delete from audit_source where told_at < ? and unarchived_since is null")) {
      statement.setObject(1, at(since));
      statement.executeUpdate();
    }
  }

  /** Returns the time of the database, which is one for all nodes. */
  static Instant now(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select now()");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }
}
