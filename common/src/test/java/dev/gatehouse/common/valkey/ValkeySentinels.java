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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A primary with two replicas, and three Sentinels that promote one of them. */
public final class ValkeySentinels implements AutoCloseable {

  private final List<ValkeyServer> servers = new ArrayList<>();
  private final List<Process> sentinels = new ArrayList<>();
  private final List<Server> addresses = new ArrayList<>();

  /** As {@code docs/how-to/run-valkey.md} says. */
  public static final int RECOMMENDED_DOWN_AFTER = 2_500;

  /** Starts servers of a test, whose Sentinels promote after one second. */
  public static ValkeySentinels start() {
    return start(1_000);
  }

  /** @param downAfter milliseconds after which a primary that does not answer is replaced */
  public static ValkeySentinels start(int downAfter) {
    ValkeySentinels all = new ValkeySentinels();
    try {
      all.servers.add(ValkeyServer.start("--min-replicas-to-write", "0"));
      all.servers.add(ValkeyServer.replicaOf(all.servers.getFirst()));
      all.servers.add(ValkeyServer.replicaOf(all.servers.getFirst()));
      for (int i = 0; i < 3; i++) {
        all.sentinel(downAfter);
      }
      Thread.sleep(3_000);
      return all;
    } catch (IOException e) {
      all.close();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      all.close();
      throw new IllegalStateException(e);
    }
  }

  private void sentinel(int downAfter) throws IOException {
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
        sentinel down-after-milliseconds gatehouse %d
        sentinel failover-timeout gatehouse 3000
        """
            .formatted(port, servers.getFirst().home(), servers.getFirst().port(), downAfter));
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
    int port = primaryPort();
    return servers.stream().filter(server -> server.port() == port).findFirst().orElseThrow();
  }

  /** Waits until the Sentinels name another primary than this. */
  public void awaitPromotion(ValkeyServer former) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (primaryPort() == former.port()) {
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
