package dev.gatehouse.perf.sso;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One browser, as cheap as it can be: one connection of HTTP/1.1 to one server, and that server's cookies. Cookies are kept
 * whatever their attributes: servers mark them Secure, and this load comes without TLS.
 */
final class Browser implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 30_000;

  /** @param location of a redirect; empty otherwise */
  record Answer(int status, String location, String body) {}

  private record Link(Socket socket, InputStream in, OutputStream out) {
    static Link to(URI server) throws IOException {
      Socket socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MILLIS);
      return new Link(socket, new BufferedInputStream(socket.getInputStream(), 32 * 1024), socket.getOutputStream());
    }
  }

  private final URI server;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private Link link;

  Browser(URI server) throws IOException {
    this.server = server;
    this.link = Link.to(server);
  }

  /** A new connection: servers close those that were idle. */
  void reconnect() throws IOException {
    link.socket().close();
    link = Link.to(server);
  }

  Answer get(String target) throws IOException {
    return send("GET", target, "", "");
  }

  /** @param form already encoded */
  Answer post(String target, String form, String origin) throws IOException {
    String fields =
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n"
            + (origin.isEmpty() ? "" : "Origin: " + origin + "\r\n");
    return send("POST", target, fields, form);
  }

  private Answer send(String method, String target, String fields, String body) throws IOException {
    String request =
        method + " " + target + " HTTP/1.1\r\nHost: " + server.getAuthority()
            + "\r\nUser-Agent: Gatehouse bench\r\nAccept: text/html\r\nAccept-Language: en\r\nSec-Fetch-Mode: navigate\r\n"
            + (cookies.isEmpty() ? "" : "Cookie: " + cookieField() + "\r\n")
            + fields + "\r\n" + body;
    link.out().write(request.getBytes(StandardCharsets.US_ASCII));
    link.out().flush();
    return read();
  }

  private String cookieField() {
    return cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; "));
  }

  private Answer read() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = -1;
    String location = "";
    for (String field = line(); !field.isEmpty(); field = line()) {
      int colon = field.indexOf(':');
      String value = field.substring(colon + 1).strip();
      switch (field.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = Integer.parseInt(value);
        case "location" -> location = value;
        case "set-cookie" -> keep(value);
        default -> {}
      }
    }
    byte[] body = length >= 0 ? link.in().readNBytes(length) : chunks();
    return new Answer(status, location, new String(body, StandardCharsets.UTF_8));
  }

  private void keep(String setCookie) {
    int semicolon = setCookie.indexOf(';');
    String pair = semicolon < 0 ? setCookie : setCookie.substring(0, semicolon);
    int equals = pair.indexOf('=');
    if (setCookie.toLowerCase(Locale.ROOT).contains("max-age=0")) {
      cookies.remove(pair.substring(0, equals));
    } else {
      cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(), 16);
      body.write(link.in().readNBytes(size));
      line();
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(120);
    for (int c = link.in().read(); c != '\n'; c = link.in().read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    link.socket().close();
  }
}
