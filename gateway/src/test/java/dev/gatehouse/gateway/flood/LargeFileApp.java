package dev.gatehouse.gateway.flood;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An app with a file of 20 MB under {@code /public/large}, an answer that never comes under {@code /public/hang}, and a short page anywhere else. */
public final class LargeFileApp implements AutoCloseable {

  /** Bytes of the file. */
  public static final int LARGE = 20 << 20;

  private static final byte[] PART = new byte[64 * 1024];

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger most = new AtomicInteger();

  private LargeFileApp(ServerSocket listener) {
    this.listener = listener;
  }

  public static LargeFileApp start() throws IOException {
    LargeFileApp app = new LargeFileApp(new ServerSocket(0, 4096, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().name("large-file-app").start(app::accept);
    return app;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Open connections. */
  public int connections() {
    return open.size();
  }

  /** The most connections that were open at once. */
  public int maxConnections() {
    return most.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        most.accumulateAndGet(open.size(), Math::max);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String target = line.split(" ", 3)[1];
        while (!in.readLine().isEmpty()) {
          // The fields do not matter.
        }
        answer(socket.getOutputStream(), target);
      }
    } catch (IOException e) {
      // The gateway has given it up.
    } finally {
      open.remove(socket);
    }
  }

  private static void answer(OutputStream out, String target) throws IOException {
    if (target.startsWith("/public/hang")) {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        return;
      }
    }
    boolean large = target.startsWith("/public/large");
    int length = large ? LARGE : 5;
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + length + "\r\n\r\n";
    out.write((large ? head : head + "hello").getBytes(StandardCharsets.ISO_8859_1));
    for (int sent = 0; large && sent < LARGE; sent += PART.length) {
      out.write(PART);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
