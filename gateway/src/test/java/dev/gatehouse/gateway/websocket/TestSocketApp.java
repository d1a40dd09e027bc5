package dev.gatehouse.gateway.websocket;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A WebSocket server by hand: checks that clients mask, answers pings and closes, and echoes or floods. */
public final class TestSocketApp implements AutoCloseable {

  private static final Pattern KEY = Pattern.compile("(?im)^sec-websocket-key: (.*?)\r?$");

  private final ServerSocket server;
  private final boolean floods;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicLong written = new AtomicLong();

  private TestSocketApp(boolean floods) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.floods = floods;
    Thread.ofVirtual().start(this::accept);
  }

  public static TestSocketApp echo() throws IOException {
    return new TestSocketApp(false);
  }

  /** Sends without end. */
  public static TestSocketApp flooding() throws IOException {
    return new TestSocketApp(true);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The heads of the requests. */
  public List<String> requests() {
    return requests;
  }

  public long written() {
    return written.get();
  }

  /** Waits until that many connections have ended, the last of them so: a close frame's code, {@code end} or {@code broken}. */
  public void awaitClosed(int count, String how) throws InterruptedException {
    for (int i = 0; i < 500 && ends.size() < count; i++) {
      Thread.sleep(20);
    }
    if (ends.size() != count || !ends.getLast().equals(how)) {
      throw new AssertionError("connections ended so: " + ends);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      return; // closed by the test
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      OutputStream out = socket.getOutputStream();
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        int b = in.read();
        if (b < 0) {
          return;
        }
        head.append((char) b);
      }
      requests.add(head.toString());
      Matcher key = KEY.matcher(head);
      if (!key.find()) {
        out.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return;
      }
      out.write(
          ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                  + Handshake.accept(key.group(1).strip())
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      if (floods) {
        flood(out);
      } else {
        ends.add(echo(in, out));
      }
    } catch (IOException e) {
      ends.add("broken");
    }
  }

  private void flood(OutputStream out) throws IOException {
    byte[] part = new byte[60_000];
    while (true) {
      write(out, 2, part);
      written.addAndGet(part.length);
    }
  }

  private static String echo(DataInputStream in, OutputStream out) throws IOException {
    while (true) {
      int first = in.read();
      if (first < 0) {
        return "end";
      }
      int second = in.readUnsignedByte();
      if ((second & 0x80) == 0) {
        return "unmasked";
      }
      int small = second & 0x7f;
      long length = small == 126 ? in.readUnsignedShort() : small == 127 ? in.readLong() : small;
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes((int) length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % 4];
      }
      int opcode = first & 0x0f;
      write(out, (first & 0x80) == 0 ? opcode | 0x100 : opcode == 9 ? 10 : opcode, payload);
      if (opcode == 8) {
        return payload.length < 2 ? "1005" : Integer.toString((payload[0] & 0xff) << 8 | payload[1] & 0xff);
      }
    }
  }

  /** @param opcode with 0x100 where more fragments follow */
  private static void write(OutputStream out, int opcode, byte[] payload) throws IOException {
    byte[] head = new byte[10];
    head[0] = (byte) (opcode & 0x0f | ((opcode & 0x100) == 0 ? 0x80 : 0));
    int length = 2;
    if (payload.length < 126) {
      head[1] = (byte) payload.length;
    } else if (payload.length < 65536) {
      head[1] = 126;
      head[2] = (byte) (payload.length >> 8);
      head[3] = (byte) payload.length;
      length = 4;
    } else {
      head[1] = 127;
      for (int i = 0; i < 8; i++) {
        head[2 + i] = (byte) ((long) payload.length >> 8 * (7 - i));
      }
      length = 10;
    }
    byte[] frame = new byte[length + payload.length];
    System.arraycopy(head, 0, frame, 0, length);
    System.arraycopy(payload, 0, frame, length, payload.length);
    out.write(frame);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
