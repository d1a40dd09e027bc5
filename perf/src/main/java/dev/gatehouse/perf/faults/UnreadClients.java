package dev.gatehouse.perf.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The attacker of {@link UnreadResponses}: opens connections, requests much, and reads nothing until it is killed.
 * Arguments: port, connections, streams per connection (0: HTTP/1.1), path, number of loopback addresses, from 127.0.0.2 on:
 * the prober has 127.0.0.1.
 */
final class UnreadClients {

  private static final int SETTINGS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int HEADERS = 1;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final int RECEIVE_BUFFER = 4096;

  private UnreadClients() {}

  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    int connections = Integer.parseInt(arguments[1]);
    int streams = Integer.parseInt(arguments[2]);
    String host = "127.0.0.1:" + port;
    byte[] asked = streams == 0 ? http1(host, arguments[3]) : http2(host, arguments[3], streams);
    int addresses = Integer.parseInt(arguments[4]);
    List<Socket> open = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < connections; i++) {
      try {
        open.add(connect("127.0.0." + (2 + i % addresses), port, asked));
      } catch (IOException e) {
        refused++;
      }
    }
    System.out.println(open.size() + " connections are open, " + refused + " were refused");
    Thread.sleep(Long.MAX_VALUE);
  }

  private static Socket connect(String from, int port, byte[] asked) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
    socket.getOutputStream().write(asked);
    return socket;
  }

  private static byte[] http1(String host, String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** The preface, an initial window of 0 (RFC 9113, section 6.5.2), and the requests. */
  private static byte[] http2(String host, String path, int streams) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(0).array()));
    byte[] block = fields(":method", "GET", ":scheme", "http", ":authority", host, ":path", path);
    for (int i = 0; i < streams; i++) {
      out.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * i + 1, block));
    }
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    return frame.put((byte) type).put((byte) flags).putInt(stream).put(payload).array();
  }

  /** Encodes literal fields without compression (RFC 7541, section 6.2.2); none is longer than 126 bytes. */
  private static byte[] fields(String... namesAndValues) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i++) {
      if (i % 2 == 0) {
        out.write(0);
      }
      byte[] text = namesAndValues[i].getBytes(StandardCharsets.US_ASCII);
      out.write(text.length);
      out.writeBytes(text);
    }
    return out.toByteArray();
  }
}
