package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The other replicas of a primary that answer a server which is nominated in its place, and have a whole copy of it. */
final class OtherReplicas implements AutoCloseable {

  private final SortedMap<String, PostgresDatabase> open = new TreeMap<>();

  OtherReplicas(OtpServerConfig config, PrimaryRecord former) {
    for (Map.Entry<String, PostgresConfig> server : config.servers().entrySet()) {
      if (!server.getKey().equals(config.server()) && !server.getKey().equals(former.server())) {
        Optional<PostgresDatabase> database = OtherServers.open(server.getValue());
        if (database.isPresent() && hasCopy(database.get(), former)) {
          open.put(server.getKey(), database.get());
        } else {
          database.ifPresent(PostgresDatabase::close);
        }
      }
    }
  }

  private static boolean hasCopy(PostgresDatabase database, PrimaryRecord former) {
    Replication there = new Replication(database);
    return there.followed().equals(Optional.of(former)) && there.isComplete();
  }

  /** Gives the name and the database of each. */
  void forEach(BiConsumer<String, PostgresDatabase> use) {
    open.forEach(use);
  }

  @Override
  public void close() {
    open.values().forEach(PostgresDatabase::close);
  }
}
