package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The PostgreSQL of {@code storage: shared}.
 *
 * @param servers primary and standbys in any order, by name and port, unresolved; the one that takes writes is used
 * @param connections the most that this node holds open
 * @param isClear without TLS; the loader refuses it unless all servers are loopback
 * @param authorities PEM file of the authorities that count for the servers' certificates; empty for those of the JDK
 */
public record PostgresConfig(
    List<InetSocketAddress> servers,
    String database,
    String user,
    Secret password,
    int connections,
    boolean isClear,
    Optional<Path> authorities) {

  /** Returns the address as it is written in the configuration. */
  public String address() {
    StringBuilder address = new StringBuilder("postgresql://");
    String separator = "";
    for (InetSocketAddress server : servers) {
      address.append(separator).append(server.getHostString()).append(':').append(server.getPort());
      separator = ",";
    }
    return address.append('/').append(database).toString();
  }
}
