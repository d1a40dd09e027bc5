package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.shared.EventSources.Source;
import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Events that a data folder had before it was set back to an older state: those from before that state are in the log again, and must not
 * be loaded twice.
 *
 * @param sources under which they are loaded
 * @param last the greatest number among them
 */
record FormerEvents(List<Integer> sources, long last) {

  static FormerEvents of(List<Source> all, Source ours) {
    List<Source> others = all.stream().filter(source -> source.id() != ours.id()).toList();
    return new FormerEvents(others.stream().map(Source::id).toList(), others.stream().mapToLong(Source::seq).max().orElse(0));
  }

  /** Returns the numbers of those lines that are loaded already. */
  Set<Long> among(DataSource dataSource, List<AuditTail.Line> lines) throws SQLException {
    List<Instant> times = lines.stream().map(AuditTail.Line::time).flatMap(Optional::stream).sorted().toList();
    if (times.isEmpty()) {
      return Set.of();
    }
    Map<Long, ByteBuffer> bySeq = new HashMap<>();
    lines.forEach(line -> bySeq.put(line.seq(), ByteBuffer.wrap(line.withoutFeed())));
    Set<Long> known = new HashSet<>();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("select seq, line from audit_event where at between ? and ? and source = any (?)")) {
      Array ids = connection.createArrayOf("integer", sources.toArray());
      statement.setObject(1, EventSources.at(times.getFirst()));
      statement.setObject(2, EventSources.at(times.getLast()));
      statement.setArray(3, ids);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (ByteBuffer.wrap(row.getBytes(2)).equals(bySeq.get(row.getLong(1)))) {
            known.add(row.getLong(1));
          }
        }
      }
    }
    return known;
  }
}
