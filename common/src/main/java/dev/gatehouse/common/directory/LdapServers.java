package dev.gatehouse.common.directory;

import dev.gatehouse.common.realm.DirectoryConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The servers of one directory, in order of preference: the first one that is up does the work, the next if that fails. */
final class LdapServers implements AutoCloseable {

  private final List<LdapServer> servers;
  private final DirectoryTimes times;

  LdapServers(DirectoryConfig config, DirectoryTimes times) {
    this.times = times;
    Connector connector = new Connector(config);
    this.servers = config.servers().stream().map(server -> new LdapServer(server, config, connector)).toList();
  }

  /**
   * Runs the work; throws {@link DirectoryUnavailable} with the reason of each server if no server did it. Suspect servers are
   * used last, and servers that refused our account are probed again, since it may have been corrected.
   */
  <T> T run(Connections.Use use, LdapServer.Work<T> work) {
    List<String> reasons = new ArrayList<>();
    List<LdapServer> left = new ArrayList<>(servers);
    while (!left.isEmpty()) {
      LdapServer server = Collections.min(left, Comparator.comparing(LdapServer::state));
      left.remove(server);
      if (!server.isUpAfterAll()) {
        reasons.add(server + ": down");
        continue;
      }
      try {
        return server.run(use, connection -> times.measured(use, work, connection));
      } catch (LdapServer.ServerFailed e) {
        times.failed();
        reasons.add(String.valueOf(e.getMessage()));
      }
    }
    throw new DirectoryUnavailable(String.join("; ", reasons));
  }

  boolean isAnyUp() {
    return servers.stream().anyMatch(LdapServer::isUp);
  }

  List<LdapServer> all() {
    return servers;
  }

  @Override
  public void close() {
    servers.forEach(LdapServer::close);
  }
}
