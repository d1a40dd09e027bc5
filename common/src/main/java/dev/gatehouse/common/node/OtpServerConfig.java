package dev.gatehouse.common.node;

import java.time.Duration;
import java.util.Map;

/**
 * This server among those that check one-time passwords together: one primary, and replicas with databases of their own.
 *
 * @param role as configured; a replica that was nominated acts as the primary
 * @param server the name of this server
 * @param servers the databases of the servers by their names; the own one may be absent
 * @param isolated how long this server goes on with marks of its own while Valkey is out of reach; zero: not at all
 */
public record OtpServerConfig(Role role, String server, Map<String, PostgresConfig> servers, Duration isolated) {

  /** What a server does. */
  public enum Role {
    /** Is administered, and checks passcodes. */
    PRIMARY,
    /** Follows the primary, and checks passcodes. */
    REPLICA
  }

  public OtpServerConfig {
    servers = Map.copyOf(servers);
  }

  /** Returns whether this server is configured as a replica. */
  public boolean isReplica() {
    return role == Role.REPLICA;
  }
}
