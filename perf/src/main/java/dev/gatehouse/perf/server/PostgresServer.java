package dev.gatehouse.perf.server;

import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.realm.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** PostgreSQL with a new cluster and its default settings, as an ordinary process. */
public final class PostgresServer implements AutoCloseable {

  private static final String USER = "gatehouse";
  private static final int CONNECTIONS = 8;

  private final ServerProcess process;
  private final Path cluster;
  private final int port;

  private PostgresServer(ServerProcess process, Path cluster, int port) {
    this.process = process;
    this.cluster = cluster;
    this.port = port;
  }

  /** @param directory of its log; the cluster is below /tmp, where its user can access it */
  public static PostgresServer start(Path directory) throws IOException, InterruptedException {
    Path cluster = Files.createTempDirectory("gatehouse-postgres-");
    int port = FreePorts.take();
    List<String> command = List.of(Commands.peer("postgres"), cluster.toString(), "" + port, USER);
    ServerProcess process = ServerProcess.start("postgresql", Files.createDirectories(directory), Map.of(), command, port).awaitPort();
    return new PostgresServer(process, cluster, port);
  }

  /** Returns the configuration of a node; the server asks for no password. */
  public PostgresConfig config() {
    return new PostgresConfig(
        List.of(InetSocketAddress.createUnresolved("127.0.0.1", port)), "postgres", USER, new Secret("none"), CONNECTIONS, true,
        Optional.empty());
  }

  /** Executes a statement without a limit of time. */
  public void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, "none");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    process.close();
    try {
      Commands.output(List.of("rm", "-rf", cluster.toString()));
    } catch (IOException e) {
      System.err.println("The folder " + cluster + " stays: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
