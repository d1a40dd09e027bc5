package dev.gatehouse.common.valkey;

import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/**
 * A primary with two replicas, and three Sentinels that promote one of them within about four seconds: the settings are those of
 * docs/how-to/run-valkey.md.
 */
public final class ValkeySentinels implements AutoCloseable {

  /** The address from which replicas and Sentinels of {@link #partitionable} connect, so that a line can tell them from nodes. */
  public static final InetAddress OTHER_HOSTS = InetAddress.ofLiteral("127.0.0.3");

  private final List<ValkeyServer> servers = new ArrayList<>();
  private final List<Process> sentinels = new ArrayList<>();
  private final List<Server> addresses = new ArrayList<>();
  private final List<String> settings;
  private OptionalInt line = OptionalInt.empty();

  /** @param leastReplicas without which a primary takes no write; the recommended number is 1 */
  private ValkeySentinels(int leastReplicas) {
    settings = List.of("--min-replicas-to-write", String.valueOf(leastReplicas), "--min-replicas-max-lag", "2");
  }

  public static ValkeySentinels start() {
    return start(Optional.empty(), 0);
  }

  /**
   * Starts the servers.
   *
   * @param home folder of the first primary, which is empty; absent for a new one
   * @param leastReplicas without which a primary takes no write
   */
  public static ValkeySentinels start(Optional<Path> home, int leastReplicas) {
    ValkeySentinels all = new ValkeySentinels(leastReplicas);
    try {
      all.servers.add(home.isPresent() ? ValkeyServer.startIn(home.get(), all.settings) : ValkeyServer.start(all.with()));
      return all.followed();
    } catch (IOException e) {
      all.close();
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a primary that everybody reaches by a line; replicas and Sentinels come there from {@link #OTHER_HOSTS}.
   *
   * @param line from the port of the primary to the one of the line
   */
  public static ValkeySentinels partitionable(IntUnaryOperator line, int leastReplicas) {
    ValkeySentinels all = new ValkeySentinels(leastReplicas);
    ValkeyServer first = ValkeyServer.start(all.with());
    all.servers.add(first);
    int port = line.applyAsInt(first.port());
    // As a replica it is known by the address that it had as a primary.
    first.command("CONFIG", "SET", "replica-announce-port", String.valueOf(port));
    all.line = OptionalInt.of(port);
    return all.followed();
  }

  /** Adds the replicas and the Sentinels. */
  private ValkeySentinels followed() {
    try {
      String[] source = line.isPresent() ? new String[] {"--bind-source-addr", OTHER_HOSTS.getHostAddress()} : new String[0];
      for (int i = 0; i < 2; i++) {
        servers.add(ValkeyServer.replicaOf(reachedBy(first()), with(source)));
      }
      for (int i = 0; i < 3; i++) {
        sentinel();
      }
      Thread.sleep(3_000);
      return this;
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Starts a primary with two replicas that nobody promotes.
   *
   * @param line from the port of the primary to the one by which the replicas reach it
   */
  public static ValkeySentinels unattended(IntUnaryOperator line, int leastReplicas) {
    ValkeySentinels all = new ValkeySentinels(leastReplicas);
    all.servers.add(ValkeyServer.start(all.with()));
    int port = line.applyAsInt(all.servers.getFirst().port());
    all.servers.add(ValkeyServer.replicaOf(port));
    all.servers.add(ValkeyServer.replicaOf(port));
    return all;
  }

  private String[] with(String... further) {
    return Stream.concat(settings.stream(), Arrays.stream(further)).toArray(String[]::new);
  }

  private void sentinel() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path file = servers.getFirst().home().resolve("sentinel-" + port + ".conf");
    Files.writeString(
        file,
        """
        port %d
        bind 127.0.0.1
        dir %s
        sentinel monitor gatehouse 127.0.0.1 %d 2
        sentinel down-after-milliseconds gatehouse 2500
        sentinel failover-timeout gatehouse 2000
        %s"""
            .formatted(
                port, first().home(), reachedBy(first()),
                line.isPresent() ? "bind-source-addr " + OTHER_HOSTS.getHostAddress() + "\nsentinel announce-ip 127.0.0.1\n" : ""));
    sentinels.add(
        new ProcessBuilder("/usr/bin/valkey-server", file.toString(), "--sentinel")
            .redirectErrorStream(true)
            .redirectOutput(servers.getFirst().home().resolve("sentinel-" + port + ".log").toFile())
            .start());
    addresses.add(new Server("127.0.0.1", port));
  }

  /** Returns the server that is the primary at the start. */
  public ValkeyServer first() {
    return servers.getFirst();
  }

  /** Returns the primary with both replicas, in this order at the start. */
  public List<ValkeyServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns the server that takes writes now; the one that was promoted last, if there are two. */
  public ValkeyServer primary() {
    if (sentinels.isEmpty()) {
      return first();
    }
    int port = primaryPort();
    return servers.stream().filter(server -> reachedBy(server) == port).findFirst().orElseThrow();
  }

  private int reachedBy(ValkeyServer server) {
    return server == first() ? line.orElse(server.port()) : server.port();
  }

  /** Waits until the Sentinels name another primary than this. */
  public void awaitPromotion(ValkeyServer former) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (primaryPort() == reachedBy(former)) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("The Sentinels promote nobody.");
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int primaryPort() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), addresses.getFirst().port())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write("SENTINEL GET-MASTER-ADDR-BY-NAME gatehouse\r\n".getBytes(StandardCharsets.US_ASCII));
      // An array of two bulk strings: the address and the port.
      BufferedReader answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (int line = 0; line < 4; line++) {
        answer.readLine();
      }
      return Integer.parseInt(answer.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the Sentinel that is asked first, for good. */
  public void killSentinel() {
    sentinels.removeFirst().destroyForcibly();
    addresses.removeFirst();
  }

  public List<Integer> sentinelPorts() {
    return addresses.stream().map(Server::port).toList();
  }

  public ValkeyConfig config(String namespace) {
    return new ValkeyConfig(
        new Place.Sentinels(addresses, "gatehouse", Optional.empty()), Optional.empty(), new Security.Plain(), Acknowledge.REPLICA,
        Duration.ofSeconds(60), Duration.ofSeconds(2), namespace);
  }

  @Override
  public void close() {
    sentinels.forEach(Process::destroyForcibly);
    servers.reversed().forEach(ValkeyServer::close);
  }
}
