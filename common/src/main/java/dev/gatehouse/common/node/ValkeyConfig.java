package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The Valkey servers of {@code storage: shared}: one primary, found directly or by Sentinels. Clusters are not supported, because one
 * script changes several keys.
 *
 * @param account absent if the server asks for none
 * @param acknowledge what a write waits for
 * @param staleness how long a node serves sessions that it knows while no server answers
 * @param timeout for an answer; also for acknowledgements
 * @param namespace the first part of every key: two deployments on one server need two
 */
public record ValkeyConfig(
    Place place,
    Optional<Account> account,
    Security security,
    Acknowledge acknowledge,
    Duration staleness,
    Duration timeout,
    String namespace) {

  /** Where the primary is. */
  public sealed interface Place {
    /** Returns all addresses that are connected to directly. */
    List<Server> servers();

    /** One server, always the primary. */
    record Direct(Server server) implements Place {
      @Override
      public List<Server> servers() {
        return List.of(server);
      }
    }

    /**
     * Sentinels that know the primary.
     *
     * @param primaryName the name of the primary in the configuration of the Sentinels
     * @param password of the Sentinels themselves; absent if they ask for none
     */
    record Sentinels(List<Server> servers, String primaryName, Optional<Secret> password) implements Place {
      public Sentinels {
        servers = List.copyOf(servers);
      }
    }
  }

  /** The address of a server. */
  public record Server(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** The account at the server (ACL). */
  public record Account(String user, Secret password) {}

  /** The protection of connections to Valkey and to Sentinels. */
  public sealed interface Security {
    /** @param authorities trusted for the certificate in addition to the JDK's */
    record Tls(List<X509Certificate> authorities) implements Security {
      public Tls {
        authorities = List.copyOf(authorities);
      }
    }

    /** None; the loader refuses it for hosts that are not loopback. */
    record Plain() implements Security {}
  }

  /** What a write waits for before it counts. */
  public enum Acknowledge {
    /** The primary has it on disk and one replica has it: no single fault loses it. */
    REPLICA,
    /** The primary has it on disk: what it did not replicate is lost with its disk, and with a promotion. */
    LOCAL
  }
}
