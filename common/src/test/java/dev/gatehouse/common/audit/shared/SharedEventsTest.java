package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.EventSearchContract;
import dev.gatehouse.common.audit.shared.EventFollower.FollowedLog;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The search in a real PostgreSQL. */
class SharedEventsTest extends EventSearchContract {

  private static Postgres server;
  private static PostgresDatabase database;

  @BeforeAll
  static void start() throws Exception {
    server = Postgres.start();
    database = PostgresDatabase.open(server.config());
  }

  @AfterAll
  static void stop() {
    database.close();
    server.close();
  }

  @AfterEach
  void empty() throws Exception {
    EventPartitions partitions = new EventPartitions(database.dataSource());
    partitions.drop(partitions.days());
    server.execute("delete from audit_source");
  }

  @Override
  protected Opened open(JsonLinesAuditLog opened, AuditSegments segments, Set<String> leftOut) {
    NodeTable.Self self = new NodeTable.Self("instance", 1, "host", "test", true);
    EventFollower follower = new EventFollower(database, () -> self, new FollowedLog(opened, segments, leftOut, Optional::empty), KEEP, time);
    return new Opened(new SharedEvents(database), follower::follow);
  }
}
