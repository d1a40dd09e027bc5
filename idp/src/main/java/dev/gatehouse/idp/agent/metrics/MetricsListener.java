package dev.gatehouse.idp.agent.metrics;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.socket.ClosedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers {@code GET /metrics} by HTTP/1.1, one request a connection. */
public final class MetricsListener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsListener.class);

  private static final int PLACES = 8;
  private static final int LONGEST_HEAD = 8192;
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);
  private static final Duration AFTER_FAULT = Duration.ofMillis(100);

  private final ServerSocketChannel channel;
  private final Optional<Path> path;
  private final MetricsText text;
  private final Semaphore free = new Semaphore(PLACES);
  private final LogThrottle faults = new LogThrottle();

  private MetricsListener(ServerSocketChannel channel, Optional<Path> path, MetricsText text) {
    this.channel = channel;
    this.path = path;
    this.text = text;
  }

  /** Opens the place. */
  public static MetricsListener open(MetricsSettings settings, MetricsText text) throws IOException {
    MetricsListener listener =
        switch (settings) {
          case MetricsSettings.Socket(Path path, Optional<String> group) ->
              new MetricsListener(ClosedSocket.open(path, group), Optional.of(path), text);
          case MetricsSettings.Port(InetSocketAddress address) -> new MetricsListener(bound(address), Optional.empty(), text);
        };
    Thread.ofPlatform().name("agent-metrics").daemon().start(listener::accept);
    return listener;
  }

  private static ServerSocketChannel bound(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(
        address.getAddress().getAddress().length == 4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    try {
      return channel.bind(address);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The port, if it is one. */
  public OptionalInt port() {
    try {
      return channel.getLocalAddress() instanceof InetSocketAddress address ? OptionalInt.of(address.getPort()) : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }

  private void accept() {
    while (channel.isOpen()) {
      try {
        SocketChannel peer = channel.accept();
        if (free.tryAcquire()) {
          Thread.startVirtualThread(() -> converse(peer));
        } else {
          peer.close();
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException e) {
        faults.count().ifPresent(times -> LOG.warn("A connection for metrics failed ({} times since the start)", times, e));
        pause();
      }
    }
  }

  /** What failed may last: a process without free file descriptors gets the same connection at once again. */
  private static void pause() {
    try {
      Thread.sleep(AFTER_FAULT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void converse(SocketChannel peer) {
    Thread limit = Thread.startVirtualThread(() -> closeAfter(peer));
    try (peer) {
      ByteBuffer answer = ByteBuffer.wrap(answer(head(peer)).getBytes(StandardCharsets.UTF_8));
      while (answer.hasRemaining()) {
        peer.write(answer);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Metrics were not read to their end", e);
    } finally {
      limit.interrupt();
      free.release();
    }
  }

  private static List<String> head(SocketChannel peer) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(LONGEST_HEAD);
    while (buffer.hasRemaining() && peer.read(buffer) >= 0) {
      String head = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
      int end = head.indexOf("\r\n\r\n");
      if (end >= 0) {
        return List.of(head.substring(0, end).split("\r\n", -1));
      }
    }
    return List.of();
  }

  private String answer(List<String> head) {
    String[] words = head.isEmpty() ? new String[0] : head.getFirst().split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.") || !isForThisHost(head)) {
      return reply("400 Bad Request", "Ask for GET /metrics, by the name of this host.\n", "");
    }
    if (!words[1].equals("/metrics")) {
      return reply("404 Not Found", "Metrics are at /metrics.\n", "");
    }
    return words[0].equals("GET")
        ? reply("200 OK", text.write(), "; version=0.0.4")
        : reply("405 Method Not Allowed", "Metrics are read with GET.\n", "");
  }

  /** A page in a browser on this host may send requests to the port, but by the name that it came from. */
  private boolean isForThisHost(List<String> head) {
    List<String> hosts = head.stream().skip(1).filter(line -> line.toLowerCase(Locale.ROOT).startsWith("host:")).toList();
    return path.isPresent()
        || hosts.size() == 1 && Loopback.isName(hosts.getFirst().substring("host:".length()).strip().replaceFirst(":\\d{1,5}$", ""));
  }

  private static String reply(String status, String body, String kind) {
    return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain" + kind + "; charset=utf-8\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length + "\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n" + body;
  }

  private static void closeAfter(SocketChannel peer) {
    try {
      Thread.sleep(LONGEST_REQUEST);
      peer.close();
    } catch (InterruptedException | IOException e) {
      // The request was answered in time, or nobody is there any more.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (path.isPresent()) {
      Files.deleteIfExists(path.get());
    }
  }
}
