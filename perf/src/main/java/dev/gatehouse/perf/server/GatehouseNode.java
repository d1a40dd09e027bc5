package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Gatehouse node as a separate process, started with {@code ./gatehouse run}, as an administrator starts it. */
public final class GatehouseNode implements AutoCloseable {

  /** The configuration of a node that does not run yet. */
  public record Configured(String name, Path directory, int adminPort) {

    Path config() {
      return directory.resolve(name);
    }

    public GatehouseNode start() throws IOException {
      return start(Build.here());
    }

    /** Starts the node with the launcher of that build. */
    public GatehouseNode start(Build build) throws IOException {
      return start(build, Map.of());
    }

    /**
     * Starts the node with the launcher of that build.
     *
     * @param environment for the launcher, for example GATEHOUSE_JAVA_OPTS
     */
    public GatehouseNode start(Build build, Map<String, String> environment) throws IOException {
      List<String> command = build.command("run", "--config", config().toString());
      return new GatehouseNode(ServerProcess.start(name, directory, environment, command), adminPort);
    }
  }

  private final ServerProcess process;
  private final int adminPort;

  private GatehouseNode(ServerProcess process, int adminPort) {
    this.process = process;
    this.adminPort = adminPort;
  }

  /**
   * Writes the configuration of a node to {@code directory/name}.
   *
   * @param roles as in gatehouse.yaml
   * @param listener one entry of gatehouse.yaml's listeners
   * @param realms the YAML of each realm, by name
   */
  public static Configured configure(
      String name, Path directory, String roles, String listener, Map<String, String> realms) throws IOException {
    return configure(name, directory, roles, listener, "", realms);
  }

  /**
   * Writes the configuration of a node with further settings.
   *
   * @param more keys of gatehouse.yaml
   */
  public static Configured configure(
      String name, Path directory, String roles, String listener, String more, Map<String, String> realms)
      throws IOException {
    Configured node = new Configured(name, directory, FreePorts.take());
    Files.createDirectories(node.config().resolve("realms"));
    Files.writeString(
        node.config().resolve("gatehouse.yaml"),
        """
        roles: %s
        listeners:
          %s
          admin: {port: %d}
        storage: embedded
        %s
        """
            .formatted(roles, listener, node.adminPort(), more));
    for (Map.Entry<String, String> realm : realms.entrySet()) {
      Files.writeString(node.config().resolve("realms").resolve(realm.getKey() + ".yaml"), realm.getValue());
    }
    return node;
  }

  /** Waits until the node is ready, when the metadata of all its partners was requested once. */
  public GatehouseNode await() throws IOException, InterruptedException {
    process.await(this::isReady, Duration.ofSeconds(90));
    return this;
  }

  /** Whether the readiness endpoint reports that it is ready. */
  public boolean isReady() {
    try {
      URI readiness = URI.create("http://127.0.0.1:" + adminPort + "/actuator/health/readiness");
      HttpURLConnection connection = (HttpURLConnection) readiness.toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(1000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
