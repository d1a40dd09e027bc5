package dev.gatehouse.gateway.netty;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An app that answers with the bytes that a test says, and remembers the heads and bodies that it received. */
final class RawApp implements AutoCloseable {

  /** What it does with one request; may close the socket. */
  interface Behaviour {
    void answer(Received request, InputStream in, OutputStream out, Socket socket) throws IOException;
  }

  /** @param connection which of the connections it came over, counted from 1 */
  record Received(String head, int connection) {
    boolean has(String line) {
      return (head + "\r\n").contains("\r\n" + line + "\r\n");
    }

    String requestLine() {
      return head.substring(0, head.indexOf("\r\n"));
    }
  }

  private final ServerSocket server;
  private final Behaviour behaviour;
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  RawApp(Behaviour behaviour) throws IOException {
    this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.behaviour = behaviour;
    Thread.ofVirtual().start(this::accept);
  }

  /** Always this response, after the request's body was read. */
  static RawApp answering(String response) throws IOException {
    return new RawApp(
        (request, in, out, socket) -> {
          readBody(request, in);
          out.write(response.getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
        });
  }

  /** 200 with the given text. */
  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  int port() {
    return server.getLocalPort();
  }

  List<Received> received() {
    return received;
  }

  int connections() {
    return connections.get();
  }

  /** The only request so far. */
  Received only() {
    if (received.size() != 1) {
      throw new AssertionError("not one request but " + received.size());
    }
    return received.getFirst();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        int number = connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket, number));
      }
    } catch (IOException e) {
      return; // closed by the test
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        String head = head(in);
        if (head.isEmpty()) {
          return;
        }
        Received request = new Received(head, number);
        received.add(request);
        behaviour.answer(request, in, socket.getOutputStream(), socket);
      }
    } catch (IOException | NumberFormatException e) {
      return; // the gateway or the behaviour has closed, perhaps where a chunk's size was due
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int state = 0;
    while (state < 4) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.write(b);
      state = b == "\r\n\r\n".charAt(state) ? state + 1 : b == '\r' ? 1 : 0;
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    return text.substring(0, text.length() - 4);
  }

  /** Reads a body by the head's framing. */
  static byte[] readBody(Received request, InputStream in) throws IOException {
    String head = request.head().toLowerCase(Locale.ROOT);
    int length = head.indexOf("\r\ncontent-length: ");
    if (length >= 0) {
      int end = head.indexOf('\r', length + 2);
      return in.readNBytes(Integer.parseInt(head.substring(length + 18, end < 0 ? head.length() : end)));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (head.contains("\r\ntransfer-encoding: chunked")) {
      int size;
      do {
        size = Integer.parseInt(line(in), 16);
        body.write(in.readNBytes(size));
        line(in);
      } while (size > 0);
    }
    return body.toByteArray();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n' && b >= 0; b = in.read()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
