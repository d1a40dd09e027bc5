package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Keycloak with one realm, optimised for PostgreSQL, which has a new cluster with its default settings; each is a separate
 * process.
 *
 * @param cluster the folder of PostgreSQL, below /tmp, where its user can access it
 */
public record KeycloakServer(ServerProcess process, ServerProcess database, Path cluster) implements AutoCloseable {

  /** Large enough that garbage collection does not affect the measurement; the default would be 512 MB. */
  private static final String HEAP = "-Xms1g -Xmx2g";

  private static final String USER = "bench";

  /** How it is built and started, with names in place of what differs from run to run. */
  public static String settings() {
    return """
        kc.sh build --db=postgres
        JAVA_OPTS_KC_HEAP="%s" kc.sh start --optimized --http-enabled=true --cache=local --http-port=PORT \\
          --hostname=http://127.0.0.1:PORT --db-url=jdbc:postgresql://127.0.0.1:DATABASE/postgres --db-username=%s
        """
        .formatted(HEAP, USER);
  }

  /** Downloads and builds Keycloak unless that was done before; takes a minute or two. */
  public static void prepare() throws IOException, InterruptedException {
    Commands.output(List.of(Commands.peer("keycloak"), "prepare", "postgres"));
  }

  /**
   * Starts both; {@link #await} waits for Keycloak.
   *
   * @param json the realm that Keycloak imports
   */
  public static KeycloakServer start(Path directory, String realm, String json) throws IOException, InterruptedException {
    int databasePort = FreePorts.take();
    Path cluster = Files.createTempDirectory("gatehouse-postgres-");
    List<String> command = List.of(Commands.peer("postgres"), cluster.toString(), "" + databasePort, USER);
    ServerProcess database = ServerProcess.start("postgresql", directory, Map.of(), command, databasePort);
    database.await(() -> database.logContains("ready to accept connections"), Duration.ofSeconds(60));
    int port = FreePorts.take();
    Path home = directory.resolve("keycloak");
    Files.writeString(Files.createDirectories(home.resolve("data/import")).resolve(realm + ".json"), json);
    ServerProcess process =
        ServerProcess.start(
            "keycloak",
            directory,
            Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", HEAP),
            List.of(
                Commands.peer("keycloak"), "run", home.toString(), "postgres", "--http-port=" + port,
                "--hostname=http://127.0.0.1:" + port, "--db-url=jdbc:postgresql://127.0.0.1:" + databasePort + "/postgres",
                "--db-username=" + USER),
            port);
    return new KeycloakServer(process, database, cluster);
  }

  /** @param realm that must be there */
  public void await(String realm) throws IOException, InterruptedException {
    process.await(() -> Commands.status(url() + "/realms/" + realm, 2000) == 200, Duration.ofMinutes(3));
  }

  public String url() {
    return "http://127.0.0.1:" + process.port();
  }

  @Override
  public void close() {
    process.close();
    database.close();
    try (Stream<Path> files = Files.walk(cluster)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("not deleted: " + cluster);
    }
  }
}
