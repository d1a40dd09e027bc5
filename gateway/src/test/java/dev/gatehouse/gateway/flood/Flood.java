package dev.gatehouse.gateway.flood;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections of clients that ask and never read. Closing it makes them all leave at once. */
public final class Flood implements AutoCloseable {

  private static final int DATA_WINDOW = 4;
  private static final int SETTINGS = 4;
  private static final int HEADERS = 1;
  private static final int PING = 6;
  private static final int END_STREAM_AND_HEADERS = 5;

  /** Bytes of the socket's receive buffer, so that the kernel keeps as little as possible. */
  private static final int LITTLE = 4096;

  private static final int MAX_HELD = 8 << 20;

  private final int port;
  private final List<Socket> sockets = new ArrayList<>();
  private int refused;

  public Flood(int port) {
    this.port = port;
  }

  /** The Host of its requests. */
  public String host() {
    return "127.0.0.1:" + port;
  }

  /** Open connections. */
  public int connections() {
    return sockets.size();
  }

  /** Connections that could not be opened, or were closed before they had asked. */
  public int refused() {
    return refused;
  }

  /** HTTP/2 in clear text with an initial window of nothing (RFC 9113, section 6.5.2), asking for {@code path} on every stream. */
  public Flood unreadStreams(InetAddress from, int connections, int streams, String host, String path) {
    byte[] asked = http2(streams, host, path);
    for (int i = 0; i < connections; i++) {
      open(from, asked);
    }
    return this;
  }

  /** HTTP/1.1, one GET on each connection. */
  public Flood unreadConnections(InetAddress from, int connections, String host, String path) {
    byte[] asked = ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < connections; i++) {
      open(from, asked);
    }
    return this;
  }

  private void open(InetAddress from, byte[] asked) {
    Socket socket = new Socket();
    try {
      socket.setReceiveBufferSize(LITTLE);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5000);
      socket.getOutputStream().write(asked);
      sockets.add(socket);
    } catch (IOException e) {
      refused++;
      close(socket);
    }
  }

  /** A PING on every connection of HTTP/2. */
  public void ping() {
    byte[] ping = frame(PING, 0, 0, new byte[8]);
    for (Socket socket : sockets) {
      try {
        socket.getOutputStream().write(ping);
      } catch (IOException e) {
        // Ended, as it should be.
      }
    }
  }

  /** How many the server has ended by now. */
  public int ended() {
    int ended = 0;
    for (Socket socket : sockets) {
      try {
        socket.setSoTimeout(1);
        byte[] part = new byte[8192];
        int read = 0;
        // What the kernels hold, but not the whole file.
        for (int all = 0; read >= 0 && all < MAX_HELD; all += read) {
          read = socket.getInputStream().read(part);
        }
        ended += read < 0 ? 1 : 0;
      } catch (java.net.SocketTimeoutException e) {
        continue; // still open
      } catch (IOException e) {
        ended++;
      }
    }
    return ended;
  }

  @Override
  public void close() {
    sockets.forEach(Flood::close);
    sockets.clear();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone then.
    }
  }

  private static byte[] http2(int streams, String host, String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(frame(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) DATA_WINDOW).putInt(0).array()));
    byte[] block = block(":method", "GET", ":scheme", "http", ":authority", host, ":path", path);
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

  /** Names and values in turn, literally and without compression (RFC 7541, section 6.2.2); none longer than 126 bytes. */
  private static byte[] block(String... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i++) {
      if (i % 2 == 0) {
        out.write(0);
      }
      byte[] text = fields[i].getBytes(StandardCharsets.ISO_8859_1);
      out.write(text.length);
      out.writeBytes(text);
    }
    return out.toByteArray();
  }
}
