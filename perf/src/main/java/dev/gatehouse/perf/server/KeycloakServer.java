package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Keycloak as a separate process, optimised for PostgreSQL, with one realm. */
public final class KeycloakServer implements AutoCloseable {

  /** Large enough that garbage collection does not affect the measurement; the default would be 512 MB. */
  private static final String HEAP = "-Xms1g -Xmx2g";

  private final ServerProcess process;
  private final String url;
  private final String realm;

  private KeycloakServer(ServerProcess process, String url, String realm) {
    this.process = process;
    this.url = url;
    this.realm = realm;
  }

  /** Downloads and builds Keycloak unless that was done before; takes a minute or two. */
  public static void prepare() throws IOException, InterruptedException {
    Process prepare =
        new ProcessBuilder(Peers.script("keycloak"), "prepare", "postgres")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (prepare.waitFor() != 0) {
      throw new IOException("Keycloak could not be prepared; see the messages above");
    }
  }

  /**
   * Starts Keycloak; {@link #await} waits for it.
   *
   * @param json the realm that Keycloak imports
   */
  public static KeycloakServer start(Path directory, String realm, String json, PostgresServer database)
      throws IOException {
    int port = FreePorts.take();
    String url = "http://127.0.0.1:" + port;
    Path home = directory.resolve("keycloak");
    Files.writeString(Files.createDirectories(home.resolve("data/import")).resolve(realm + ".json"), json);
    ServerProcess process =
        ServerProcess.start(
            "keycloak",
            directory,
            Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", HEAP),
            List.of(
                Peers.script("keycloak"),
                "run",
                home.toString(),
                "postgres",
                "--http-port=" + port,
                "--hostname=" + url,
                "--db-url=" + database.jdbcUrl(),
                "--db-username=" + database.user()));
    return new KeycloakServer(process, url, realm);
  }

  public KeycloakServer await() throws IOException, InterruptedException {
    process.await(this::isReady, Duration.ofMinutes(3));
    return this;
  }

  private boolean isReady() {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url + "/realms/" + realm).toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(2000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  public ServerProcess process() {
    return process;
  }

  public String url() {
    return url;
  }

  @Override
  public void close() {
    process.close();
  }
}
