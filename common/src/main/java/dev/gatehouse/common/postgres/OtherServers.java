package dev.gatehouse.common.postgres;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The servers beside the one in use, with a connection to each that answers. A primary that hung while its standby was promoted, and goes on
 * afterwards, still answers reads: only the promoted one tells. Used by one thread.
 */
final class OtherServers implements AutoCloseable {

  /** A server that does not answer is asked at every so many looks. */
  private static final int LOOKS_BETWEEN_TRIES = 5;

  private final PostgresConnections connections;
  private final Map<InetSocketAddress, Connection> opened = new HashMap<>();
  private int looks;

  OtherServers(PostgresConnections connections) {
    this.connections = connections;
  }

  /** Returns whether one of them was promoted. */
  boolean isPromoted() {
    boolean tries = looks++ % LOOKS_BETWEEN_TRIES == 0;
    boolean promoted = false;
    for (InetSocketAddress server : connections.others()) {
      try {
        Connection connection = opened.get(server);
        if (connection == null && tries) {
          connection = connections.ask(server);
          opened.put(server, connection);
        }
        promoted |= connection != null && connections.isPromoted(connection);
      } catch (SQLException e) {
        discard(server);
      }
    }
    // One that is used now needs none here; one that was used is asked from now on.
    opened.keySet().stream().filter(server -> !connections.others().contains(server)).toList().forEach(this::discard);
    return promoted;
  }

  private void discard(InetSocketAddress server) {
    Connection connection = opened.remove(server);
    if (connection != null) {
      PostgresDatabase.discard(connection);
    }
  }

  @Override
  public void close() {
    opened.values().forEach(PostgresDatabase::discard);
    opened.clear();
  }
}
