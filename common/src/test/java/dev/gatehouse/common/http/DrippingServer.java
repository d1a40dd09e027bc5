package dev.gatehouse.common.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends a beginning at once and then one byte every 50 ms endlessly, so that no timeout between bytes is ever reached. */
final class DrippingServer implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 200, InetAddress.ofLiteral("127.0.0.1"));
  private final String beginning;
  private final String drop;
  private final AtomicInteger open = new AtomicInteger();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  DrippingServer(String beginning, String drop) throws IOException {
    this.beginning = beginning;
    this.drop = drop;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Returns the number of open client connections. */
  int open() {
    return open.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        open.incrementAndGet();
        Thread.ofVirtual().start(() -> drip(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void drip(Socket socket) {
    try (socket) {
      socket.getInputStream().read(new byte[8192]);
      socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
      while (true) {
        Thread.sleep(50);
        socket.getOutputStream().write(drop.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      // The client has gone.
      open.decrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
