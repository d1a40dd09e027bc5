package dev.gatehouse.perf.audit;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.audit.shared.EventFollower;
import dev.gatehouse.common.audit.shared.EventFollower.FollowedLog;
import dev.gatehouse.common.audit.shared.EventRetention;
import dev.gatehouse.common.audit.shared.SharedEvents;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The events of a log in a PostgreSQL of its own. */
final class SharedAudit implements AutoCloseable {

  private static final Duration KEEP = Duration.ofDays(36_500);

  private final PostgresServer server;
  private final PostgresDatabase database;
  private final JdbcClient jdbc;
  private Sizes sizes = new Sizes(0, 0, "");
  private double loadSeconds;
  private double analyzeSeconds;

  /** What the events take. */
  private record Sizes(long all, long table, String indexes) {}

  /** How long the events took, and what they take. */
  record Loaded(
      double loadSeconds, double analyzeSeconds, long bytes, long tableBytes, String indexes, long dropped, double dropSeconds) {

    String toText(int events) {
      return Markdown.format(
          """
          loaded into PostgreSQL: %,.0f s, %,.0f events a second; vacuum and analyze: %,.0f s.
          %,d bytes an event: %,d of the row, and of indexes: %s.
          the oldest %,d events dropped in %,.2f s.
          """,
          loadSeconds, events / loadSeconds, analyzeSeconds, bytes / events, tableBytes / events, indexes, dropped, dropSeconds);
    }
  }

  private SharedAudit(PostgresServer server, PostgresDatabase database) {
    this.server = server;
    this.database = database;
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  static SharedAudit load(Path folder, JsonLinesAuditLog log, InstantSource time) throws IOException, InterruptedException {
    PostgresServer server = PostgresServer.start(folder.resolve("postgres"));
    try {
      SharedAudit shared = new SharedAudit(server, PostgresDatabase.open(server.config()));
      shared.load(folder, log, time, log.written());
      return shared;
    } catch (java.sql.SQLException e) {
      server.close();
      throw new IOException(e);
    }
  }

  private void load(Path folder, JsonLinesAuditLog log, InstantSource time, long events) throws IOException, java.sql.SQLException {
    FollowedLog followed = new FollowedLog(log, new AuditSegments(folder, Optional.empty()), Set.of(), Optional::empty);
    try (EventFollower follower = new EventFollower(database, () -> new NodeTable.Self("bench", 1, "bench", "bench", true), followed, KEEP, time)) {
      long begun = System.nanoTime();
      follower.follow();
      loadSeconds = (System.nanoTime() - begun) / 1e9;
      System.err.println(Markdown.format("loaded: %,.0f s", loadSeconds));
    }
    long begun = System.nanoTime();
    server.execute("vacuum analyze audit_event");
    analyzeSeconds = (System.nanoTime() - begun) / 1e9;
    long all = single("select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'audit_event'::regclass");
    long table = single("select sum(pg_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'audit_event'::regclass");
    String indexes =
        String.join(
            ", ",
            jdbc.sql(
                    """
                    select replace(p.relname, 'audit_event_', '') || ' ' || sum(pg_relation_size(c.oid))::bigint / ?
                    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
                    where p.relkind = 'I' group by p.relname order by p.relname
                    """)
                .param(events)
                .query(String.class)
                .list());
    sizes = new Sizes(all, table, indexes);
  }

  private long single(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  EventSearch search() {
    return new SharedEvents(database);
  }

  /** Drops the days that ended before that time. */
  Loaded dropped(Instant before) throws IOException {
    long present = single("select count(*) from audit_event");
    long begun = System.nanoTime();
    try {
      new EventRetention(database, Duration.between(before, Instant.now())).run();
    } catch (java.sql.SQLException e) {
      throw new IOException(e);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    long dropped = present - single("select count(*) from audit_event");
    return new Loaded(loadSeconds, analyzeSeconds, sizes.all(), sizes.table(), sizes.indexes(), dropped, seconds);
  }

  @Override
  public void close() {
    database.close();
    server.close();
  }
}
