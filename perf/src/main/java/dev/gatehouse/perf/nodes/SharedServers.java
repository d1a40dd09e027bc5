package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * PostgreSQL with a synchronous standby and Valkey with two replicas and three Sentinels, for all deployments of a benchmark. Their
 * files are in memory: figures have no disk in them.
 */
final class SharedServers implements AutoCloseable {

  static final String VALKEY = "valkey";
  static final String POSTGRESQL = "postgresql";

  private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:(\\d+)");

  private static final String CONNECTIONS = "max_connections=400";

  private final Postgres postgres;
  private final Postgres standby;
  private final ValkeySentinels valkey;
  private boolean isClosed;

  private SharedServers(Postgres postgres, Postgres standby, ValkeySentinels valkey) {
    this.postgres = postgres;
    this.standby = standby;
    this.valkey = valkey;
  }

  static SharedServers start() throws IOException, InterruptedException {
    Postgres postgres = Postgres.start("synchronous_standby_names=standby", CONNECTIONS);
    SharedServers servers = new SharedServers(postgres, postgres.standby(CONNECTIONS), ValkeySentinels.start());
    // Ends the servers also when the benchmark is interrupted.
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close, "end-stores"));
    return servers;
  }

  /** The stores of one deployment. */
  record Deployment(String name, String postgresql, String sentinels) {

    /** The keys of gatehouse.yaml for a node. */
    String storage(int index) {
      return """
          storage: shared
          deployment: %1$s
          index: %2$d
          masterKey: %3$s
          postgresql: {url: "postgresql://%4$s/%1$s", user: gatehouse, password: %5$s}
          valkey: {sentinels: [%6$s], tls: false}
          """
          .formatted(
              name, index, Base64.getEncoder().encodeToString(new byte[32]), postgresql, Postgres.password(), sentinels);
    }
  }

  /** Creates the database of a deployment. @param name lower-case letters */
  Deployment deployment(String name) throws IOException {
    try {
      postgres.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return new Deployment(
        name, "127.0.0.1:" + postgres.port() + ",127.0.0.1:" + standby.port(),
        valkey.sentinelPorts().stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(", ")));
  }

  /** The processes, whose CPU time stands beside that of nodes. */
  List<ServerProcess> processes() {
    List<ServerProcess> all = new ArrayList<>();
    all.add(ServerProcess.watched(POSTGRESQL, postgres.process(), postgres.port()));
    all.add(ServerProcess.watched(POSTGRESQL + " standby", standby.process(), standby.port()));
    List<ValkeyServer> servers = valkey.servers();
    for (int i = 0; i < servers.size(); i++) {
      String name = i == 0 ? VALKEY : VALKEY + " replica " + i;
      all.add(ServerProcess.watched(name, servers.get(i).process(), servers.get(i).port()));
    }
    return all;
  }

  /** The commands that the Valkey primary has done since its start. */
  long commands() throws IOException {
    Matcher matcher = COMMANDS.matcher(valkey.servers().getFirst().command("INFO", "stats"));
    if (!matcher.find()) {
      throw new IOException("Valkey does not say how many commands it did");
    }
    return Long.parseLong(matcher.group(1));
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    valkey.close();
    standby.close();
    postgres.close();
  }
}
