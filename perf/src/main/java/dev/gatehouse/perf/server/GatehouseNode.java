package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Gatehouse node as a process of its own, started as an administrator starts it: by {@code ./gatehouse run}. */
public final class GatehouseNode implements AutoCloseable {

  private final ServerProcess process;
  private final int adminPort;

  private GatehouseNode(ServerProcess process, int adminPort) {
    this.process = process;
    this.adminPort = adminPort;
  }

  /**
   * Writes the configuration to {@code directory/name} and starts the node; {@link #await} waits for it.
   *
   * @param roles as in gatehouse.yaml
   * @param listener one entry of gatehouse.yaml's listeners
   * @param realms the YAML of each realm, by name
   */
  public static GatehouseNode start(
      String name, Path directory, String roles, String listener, Map<String, String> realms) throws IOException {
    String home = System.getenv("GATEHOUSE_HOME");
    if (home == null) {
      throw new IOException("GATEHOUSE_HOME is not set: start benchmarks with ./gatehouse bench");
    }
    int adminPort = FreePorts.take();
    Path config = directory.resolve(name);
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(
        config.resolve("gatehouse.yaml"),
        """
        roles: %s
        listeners:
          %s
          admin: {port: %d}
        storage: embedded
        """
            .formatted(roles, listener, adminPort));
    for (Map.Entry<String, String> realm : realms.entrySet()) {
      Files.writeString(config.resolve("realms").resolve(realm.getKey() + ".yaml"), realm.getValue());
    }
    return new GatehouseNode(
        ServerProcess.start(
            name, directory, Map.of(), List.of(home + "/gatehouse", "run", "--config", config.toString())),
        adminPort);
  }

  /** Waits until the node is ready: its partners were all asked for their metadata once. */
  public GatehouseNode await() throws IOException, InterruptedException {
    process.await(this::isReady, Duration.ofSeconds(90));
    return this;
  }

  private boolean isReady() {
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
