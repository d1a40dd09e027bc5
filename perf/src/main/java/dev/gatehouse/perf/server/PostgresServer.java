package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** PostgreSQL with a new cluster on a free port, with its default settings. */
public final class PostgresServer implements AutoCloseable {

  private static final String USER = "bench";

  private final ServerProcess process;
  private final Path folder;
  private final int port;

  private PostgresServer(ServerProcess process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
  }

  /** @param directory for the log; the cluster is in a folder below /tmp that PostgreSQL's user can access */
  public static PostgresServer start(Path directory) throws IOException, InterruptedException {
    int port = FreePorts.take();
    Path folder = Files.createTempDirectory("gatehouse-postgres-");
    ServerProcess process =
        ServerProcess.start("postgresql", directory, Map.of(), List.of(Peers.script("postgres"), folder.toString(), "" + port, USER));
    PostgresServer server = new PostgresServer(process, folder, port);
    try {
      process.await(() -> process.logContains("ready to accept connections"), Duration.ofSeconds(60));
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  public ServerProcess process() {
    return process;
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public String user() {
    return USER;
  }

  @Override
  public void close() {
    process.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("not deleted: " + folder);
    }
  }
}
