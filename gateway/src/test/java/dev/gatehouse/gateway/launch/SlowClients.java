package dev.gatehouse.gateway.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Clients of a hundred addresses that begin requests, send a byte now and then, and come again when they are ended. */
final class SlowClients implements AutoCloseable {

  private static final byte[] HALF = "GET /public/x HTTP/1.1\r\nHost: app.localhost\r\nX: ".getBytes(StandardCharsets.US_ASCII);

  private final List<Integer> ports;
  private final SocketChannel[][] clients;
  private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::keepOn);
  private volatile boolean closed;

  /** @param each at each of the ports */
  SlowClients(List<Integer> ports, int each) {
    this.ports = ports;
    this.clients = new SocketChannel[ports.size()][each];
  }

  /** Opens all, and keeps them. */
  void fill() throws IOException {
    round();
    thread.start();
  }

  private void keepOn() {
    try {
      while (!closed) {
        round();
        Thread.sleep(500);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() throws IOException {
    for (int port = 0; port < clients.length; port++) {
      for (int i = 0; i < clients[port].length && !closed; i++) {
        if (clients[port][i] == null || !goesOn(clients[port][i])) {
          clients[port][i] = begin(ports.get(port), i);
        }
      }
    }
  }

  private static SocketChannel begin(int port, int number) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.1." + (1 + number % 100)), 0));
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return channel;
  }

  private static boolean goesOn(SocketChannel channel) throws IOException {
    try {
      if (channel.isConnectionPending()) {
        if (channel.finishConnect()) {
          channel.write(ByteBuffer.wrap(HALF));
        }
        return true;
      }
      ByteBuffer read = ByteBuffer.allocate(4096);
      if (channel.read(read) < 0) {
        channel.close();
        return false;
      }
      channel.write(ByteBuffer.wrap(new byte[] {'x'}));
      return true;
    } catch (IOException e) {
      channel.close();
      return false;
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    thread.join();
    for (SocketChannel[] some : clients) {
      for (SocketChannel channel : some) {
        if (channel != null) {
          channel.close();
        }
      }
    }
  }
}
