package dev.gatehouse.gateway.interop;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** An app that answers with the head of each request, after 300 ms for {@code /slow}, and with each message of a WebSocket (RFC 6455). */
final class EchoApp implements AutoCloseable {

  private static final String KEY = "sec-websocket-key: ";

  private final ServerSocket server;

  private EchoApp(ServerSocket server) {
    this.server = server;
  }

  static EchoApp start() {
    try {
      EchoApp app = new EchoApp(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().start(app::accept);
      return app;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      return; // closed by the test
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        int key = head.toLowerCase(java.util.Locale.ROOT).indexOf(KEY);
        if (key >= 0) {
          String accept = accept(head.substring(key + KEY.length(), head.indexOf("\r\n", key)));
          out.write(
              ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                      + accept + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
          messages(in, out);
          return;
        }
        if (head.startsWith("GET /slow")) {
          Thread.sleep(300);
        }
        byte[] body = head.getBytes(StandardCharsets.ISO_8859_1);
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
      }
    } catch (IOException | InterruptedException e) {
      return; // the gateway has closed
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** Sends short frames back as they came, without their mask, until one of them closes. */
  private static void messages(InputStream in, OutputStream out) throws IOException {
    int opcode;
    do {
      byte[] start = in.readNBytes(2);
      if (start.length < 2) {
        return;
      }
      opcode = start[0] & 0x0f;
      byte[] mask = in.readNBytes(4);
      byte[] data = in.readNBytes(start[1] & 0x7f);
      for (int i = 0; i < data.length; i++) {
        data[i] ^= mask[i % 4];
      }
      out.write(new byte[] {start[0], (byte) data.length});
      out.write(data);
      out.flush();
    } while (opcode != 8);
  }

  private static String accept(String key) {
    try {
      byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
