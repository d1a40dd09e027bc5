package dev.gatehouse.gateway.interop;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A client that keeps its HTTP/1.1 connection until a response says that it ends, and retries nothing: a connection that is closed
 * without that word is a failed request.
 */
final class KeptConnection implements AutoCloseable {

  /** A response with its fields as they came. */
  record Response(int status, String fields, String body) {
    Optional<String> field(String name) {
      return fields
          .lines()
          .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
          .map(line -> line.substring(name.length() + 2))
          .findFirst();
    }
  }

  private final String server;
  private final int port;
  private final InetAddress source;
  private final String host;
  private final Optional<SSLContext> tls;
  private final String before;
  private Optional<Socket> socket = Optional.empty();
  private InputStream in = InputStream.nullInputStream();
  private int connections;

  private KeptConnection(String server, int port, InetAddress source, String host, Optional<SSLContext> tls, String before) {
    this.server = server;
    this.port = port;
    this.source = source;
    this.host = host;
    this.tls = tls;
    this.before = before;
  }

  /** To a balancer. */
  static KeptConnection to(int port, Optional<SSLContext> tls) {
    return from("127.0.0.1", port, tls);
  }

  /** To a balancer, from that address. */
  static KeptConnection from(String source, int port, Optional<SSLContext> tls) {
    return new KeptConnection("127.0.0.1", port, InetAddress.ofLiteral(source), "127.0.0.1:" + port, tls, "");
  }

  /** To a node, as the balancer would connect. */
  static KeptConnection asBalancer(String node, int port, String host) {
    InetAddress here = InetAddress.ofLiteral("127.0.0.1");
    return new KeptConnection(node, port, here, host, Optional.empty(), "PROXY TCP4 203.0.113.7 127.0.0.1 4711 80\r\n");
  }

  /** To a node, from the address of nobody that it trusts. */
  static KeptConnection asStranger(String node, int port, String source) {
    return new KeptConnection(
        node, port, InetAddress.ofLiteral(source), "127.0.0.1", Optional.empty(), "PROXY TCP4 203.0.113.7 127.0.0.1 4711 80\r\n");
  }

  int connections() {
    return connections;
  }

  Response get(String path, String... lines) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + joined(lines) + "\r\n");
  }

  Response post(String path, String form, String... lines) throws IOException {
    return send(
        "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
            + form.length() + "\r\n" + joined(lines) + "\r\n" + form);
  }

  private static String joined(String... lines) {
    return lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
  }

  private Response send(String request) throws IOException {
    if (socket.isEmpty()) {
      open();
    }
    try {
      socket.get().getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      Response response = read();
      if (response.field("Connection").filter(value -> value.equalsIgnoreCase("close")).isPresent()) {
        close();
      }
      return response;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void open() throws IOException {
    Socket plain = new Socket(server, port, source, 0);
    plain.setSoTimeout(20_000);
    plain.setTcpNoDelay(true);
    plain.getOutputStream().write(before.getBytes(StandardCharsets.US_ASCII));
    Socket opened = tls.isEmpty() ? plain : tls.get().getSocketFactory().createSocket(plain, "127.0.0.1", port, true);
    in = new BufferedInputStream(opened.getInputStream());
    socket = Optional.of(opened);
    connections++;
  }

  private Response read() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("closed after: " + head);
      }
      head.append((char) next);
    }
    Response response = new Response(Integer.parseInt(head.substring(9, 12)), head.toString(), "");
    byte[] body = in.readNBytes(response.field("Content-Length").map(Integer::parseInt).orElse(0));
    return new Response(response.status(), response.fields(), new String(body, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    if (socket.isPresent()) {
      socket.get().close();
    }
    socket = Optional.empty();
  }
}
