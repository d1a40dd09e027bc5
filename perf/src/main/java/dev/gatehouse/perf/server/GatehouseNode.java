package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A Gatehouse node as a separate process, started with {@code ./gatehouse run}, as an administrator starts it. */
public record GatehouseNode(ServerProcess process, Configured configured) implements AutoCloseable {

  /** Several nodes start at once on a small machine, perhaps beside the work of others. */
  private static final Duration LONGEST_START = Duration.ofSeconds(600);

  /**
   * The configuration of a node, which can be started more than once.
   *
   * @param port of its first listener
   */
  public record Configured(String name, Path directory, int port, int adminPort) {

    public Path config() {
      return directory.resolve(name);
    }

    /** The folder of its persistent data. */
    public Path data() {
      return config().resolve("data");
    }

    public String url() {
      return "http://127.0.0.1:" + port;
    }

    /** Starts the node with the launcher of that build. */
    public GatehouseNode start(Build build) throws IOException {
      return start(build, Map.of());
    }

    /** @param environment for the launcher, for example GATEHOUSE_JAVA_OPTS */
    public GatehouseNode start(Build build, Map<String, String> environment) throws IOException {
      return new GatehouseNode(
          ServerProcess.start(name, directory, environment, NodeCores.of(build.command("run", "--config", config().toString())), port), this);
    }
  }

  /**
   * The configuration of a node with one role and one listener at 127.0.0.1, written to {@code directory/name}.
   *
   * @param roles as in gatehouse.yaml
   * @param listener {@code idp} or {@code gateway}
   * @param realms the YAML of each realm, by name
   */
  public static Configured configure(
      String name, Path directory, String roles, String listener, int port, Map<String, String> realms) throws IOException {
    return configure(name, directory, roles, listener(listener, port), "", port, realms);
  }

  /** One listener at 127.0.0.1, as gatehouse.yaml has it. */
  public static String listener(String name, int port) {
    return name + ": [{address: 127.0.0.1, port: " + port + "}]";
  }

  /**
   * Writes the configuration of a node to {@code directory/name}.
   *
   * @param listeners entries of gatehouse.yaml's listeners
   * @param more keys of gatehouse.yaml; storage is embedded unless they begin with it
   * @param port of its first listener
   */
  public static Configured configure(
      String name, Path directory, String roles, String listeners, String more, int port, Map<String, String> realms)
      throws IOException {
    Configured node = new Configured(name, directory, port, FreePorts.take());
    Path folder = Files.createDirectories(node.config().resolve("realms"));
    Files.writeString(
        node.config().resolve("gatehouse.yaml"),
        """
        roles: %s
        listeners:
          %s
          admin: {port: %d}
        %s
        """
            .formatted(roles, listeners, node.adminPort(), more.startsWith("storage:") ? more : "storage: embedded\n" + more));
    for (Map.Entry<String, String> realm : realms.entrySet()) {
      Files.writeString(folder.resolve(realm.getKey() + ".yaml"), realm.getValue());
    }
    return node;
  }

  /** The {@code directory} of a realm: people of {@link SlapdServer}. */
  public static String directory(int ldapPort, String attributes) {
    return """
        directory:
          urls: [ldap://127.0.0.1:%d]
          base: ou=people,dc=example,dc=com
          filter: (uid={name})
          attributes: {%s}
        """
        .formatted(ldapPort, attributes);
  }

  public String url() {
    return configured.url();
  }

  /** Waits until the node is ready, when the metadata of all its partners was requested once. */
  public GatehouseNode await() throws IOException, InterruptedException {
    process.await(this::isReady, LONGEST_START);
    return this;
  }

  /** Waits until the node is ready, or its process has ended, in which case it returns false. */
  public boolean comesUp() throws InterruptedException {
    long end = System.nanoTime() + LONGEST_START.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      if (isReady()) {
        return true;
      }
      Thread.sleep(50);
    }
    return false;
  }

  /** Returns whether the readiness endpoint reports that it is ready. */
  public boolean isReady() {
    return health("readiness", 1000) == 200;
  }

  /** @param kind {@code readiness} or {@code liveness} */
  public int health(String kind, int timeoutMillis) {
    return Commands.status("http://127.0.0.1:" + configured.adminPort() + "/actuator/health/" + kind, timeoutMillis);
  }

  /** What the node counts and measures, now. */
  public NodeMetrics metrics() throws IOException {
    return new NodeMetrics(Commands.text("http://127.0.0.1:" + configured.adminPort() + "/actuator/prometheus"));
  }

  @Override
  public void close() {
    process.close();
  }
}
