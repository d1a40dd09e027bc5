package dev.gatehouse.perf.http;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** One persistent HTTP/1.1 connection to one server, with minimal cost. For one thread at a time. */
public final class Connection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 30_000;

  private final URI server;
  private final String localAddress;
  private final KeyManager[] keys;
  private final byte[] buffer = new byte[32 * 1024];
  private Socket socket;
  private int next;
  private int end;

  /** @param localAddress of the client, for example 127.1.0.1; empty for any */
  public Connection(URI server, String localAddress) throws IOException {
    this(server, localAddress, new KeyManager[0]);
  }

  /** @param keys of the client's certificate, if it has one */
  Connection(URI server, String localAddress, KeyManager[] keys) throws IOException {
    this.server = server;
    this.localAddress = localAddress;
    this.keys = keys.clone();
    this.socket = connected();
  }

  private Socket connected() throws IOException {
    Socket fresh = new Socket();
    fresh.setTcpNoDelay(true);
    fresh.setSoTimeout(TIMEOUT_MILLIS);
    if (!localAddress.isEmpty()) {
      fresh.bind(new InetSocketAddress(InetAddress.ofLiteral(localAddress), 0));
    }
    fresh.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MILLIS);
    return "https".equals(server.getScheme()) ? secured(fresh) : fresh;
  }

  /** TLS to the benchmark's own servers, which nobody trusts; a new context each time, so that no session is resumed. */
  private Socket secured(Socket connected) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), new SecureRandom());
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(connected, server.getHost(), server.getPort(), true);
      socket.startHandshake();
      return socket;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Opens a new connection, because servers close idle ones. */
  void reconnect() throws IOException {
    socket.close();
    next = 0;
    end = 0;
    socket = connected();
  }

  URI server() {
    return server;
  }

  /** @param request as it is sent, in ASCII */
  public Answer exchange(String request) throws IOException {
    write(request);
    return read();
  }

  /** Writes one or more requests. */
  public void write(String requests) throws IOException {
    socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Reads the response to the next request. */
  public Answer read() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = -1;
    String location = "";
    String keyInvitation = "";
    List<String> cookies = new ArrayList<>();
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (isNamed(field, "Content-Length")) {
        length = Integer.parseInt(value(field));
      } else if (isNamed(field, "Location")) {
        location = value(field);
      } else if (isNamed(field, "Set-Cookie")) {
        cookies.add(value(field));
      } else if (isNamed(field, "Secure-Session-Registration")) {
        keyInvitation = value(field);
      }
    }
    boolean hasBody = status != 204 && status != 304;
    byte[] body = !hasBody ? new byte[0] : length >= 0 ? bytes(length) : chunks();
    return new Answer(status, location, cookies, keyInvitation, new String(body, StandardCharsets.UTF_8));
  }

  private static boolean isNamed(String field, String name) {
    return field.length() > name.length()
        && field.charAt(name.length()) == ':'
        && field.regionMatches(true, 0, name, 0, name.length());
  }

  private static String value(String field) {
    return field.substring(field.indexOf(':') + 1).strip();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(), 16);
      body.write(bytes(size));
      line();
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    int had = Math.min(length, end - next);
    System.arraycopy(buffer, next, bytes, 0, had);
    next += had;
    if (had < length && socket.getInputStream().readNBytes(bytes, had, length - had) < length - had) {
      throw new EOFException("the server closed the connection");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(0);
    while (true) {
      for (int at = next; at < end; at++) {
        if (buffer[at] == '\n') {
          String rest = text(at);
          next = at + 1;
          return line.isEmpty() ? rest : line.append(rest).toString();
        }
      }
      line.append(text(end));
      fill();
    }
  }

  /** The buffered text from the read position to {@code to}, without a carriage return at its end. */
  private String text(int to) {
    int last = to > next && buffer[to - 1] == '\r' ? to - 1 : to;
    return new String(buffer, next, last - next, StandardCharsets.ISO_8859_1);
  }

  private void fill() throws IOException {
    end = socket.getInputStream().read(buffer);
    next = 0;
    if (end < 0) {
      throw new EOFException("the server closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
