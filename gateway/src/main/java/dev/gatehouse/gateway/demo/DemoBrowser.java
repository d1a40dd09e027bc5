package dev.gatehouse.gateway.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A minimal browser for the demo's own requests: follows redirects and stores cookies, regardless of hosts, because the
 * cookie names do not collide here. Uses plain sockets, because names below {@code .localhost} are loopback everywhere
 * except in the JVM.
 */
public final class DemoBrowser {

  private static final int MAX_REDIRECTS = 8;
  private static final int TIMEOUT_MILLIS = 10_000;

  /** The page at the end of all redirects. */
  public record Page(int status, URI address, String html) {}

  private record Answer(int status, Optional<URI> location, String body) {}

  private final Map<String, String> cookies = new LinkedHashMap<>();

  public Page get(URI address) throws IOException {
    return follow(address, send("GET", address, "", ""));
  }

  /** Submits a form, with the origin of its page as browsers send it. */
  public Page post(Page page, URI action, Map<String, String> fields) throws IOException {
    String form = encoded(fields);
    String origin = "Origin: " + page.address().getScheme() + "://" + page.address().getRawAuthority() + "\r\n";
    return follow(action, send("POST", action, origin + content(form), form));
  }

  /**
   * Follows redirects up to one that leads to an address that begins so, which is not opened.
   *
   * @throws IOException if none does
   */
  public URI redirectTo(URI address, String beginning) throws IOException {
    Answer answer = send("GET", address, "", "");
    for (int i = 0; i < MAX_REDIRECTS && answer.location().isPresent(); i++) {
      URI at = answer.location().get();
      if (at.toString().startsWith(beginning)) {
        return at;
      }
      answer = send("GET", at, "", "");
    }
    throw new IOException("not led to " + beginning + ", status " + answer.status());
  }

  /**
   * The request of a program, without cookies.
   *
   * @param authorization the value of the field of this name
   * @param fields of a form that is posted; none for a GET
   */
  public static Page call(URI target, String authorization, Map<String, String> fields) throws IOException {
    String form = encoded(fields);
    String line = (fields.isEmpty() ? "GET " : "POST ") + target.getRawPath() + " HTTP/1.1\r\nHost: " + target.getRawAuthority();
    String head =
        line + "\r\nAccept: application/json\r\nConnection: close\r\nAuthorization: " + authorization + "\r\n"
            + (fields.isEmpty() ? "" : content(form));
    Answer answer = new DemoBrowser().read(target, exchange(target, head + "\r\n" + form));
    return new Page(answer.status(), target, answer.body());
  }

  private static String encoded(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static String content(String form) {
    return "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n";
  }

  /** Drops a cookie, as if the browser's session at one site had expired. */
  public void forget(String cookie) {
    cookies.remove(cookie);
  }

  private Page follow(URI from, Answer first) throws IOException {
    URI at = from;
    Answer answer = first;
    for (int i = 0; answer.location().isPresent(); i++) {
      if (i == MAX_REDIRECTS) {
        throw new IOException("too many redirects, the last one to " + at.getRawAuthority());
      }
      at = answer.location().get();
      answer = send("GET", at, "", "");
    }
    return new Page(answer.status(), at, answer.body());
  }

  private Answer send(String method, URI target, String fields, String body) throws IOException {
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    String request =
        method + " " + target.getRawPath() + query + " HTTP/1.1\r\nHost: " + target.getRawAuthority()
            + "\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n"
            + cookieField() + fields + "\r\n" + body;
    return read(target, exchange(target, request));
  }

  private static byte[] exchange(URI target, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().readAllBytes();
    }
  }

  private Answer read(URI target, byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no answer");
    }
    String[] head = text.substring(0, end).split("\r\n", -1);
    Optional<URI> location = Optional.empty();
    boolean chunked = false;
    for (String line : head) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
        case "location" -> location = Optional.of(target.resolve(value));
        case "transfer-encoding" -> chunked = true;
        case "set-cookie" -> store(value.split(";", 2)[0]);
        default -> {}
      }
    }
    String body = text.substring(end + 4);
    return new Answer(Integer.parseInt(head[0].split(" ", 3)[1]), location, chunked ? joined(body) : body);
  }

  private void store(String pair) {
    cookies.put(pair.substring(0, pair.indexOf('=')), pair);
  }

  private static String joined(String chunks) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int at = 0;
    while (at < chunks.length()) {
      int line = chunks.indexOf("\r\n", at);
      int size = Integer.parseInt(chunks.substring(at, line), 16);
      body.writeBytes(chunks.substring(line + 2, line + 2 + size).getBytes(StandardCharsets.ISO_8859_1));
      at = line + 2 + size + 2;
    }
    return body.toString(StandardCharsets.ISO_8859_1);
  }

  private String cookieField() {
    return cookies.isEmpty() ? "" : "Cookie: " + String.join("; ", cookies.values()) + "\r\n";
  }
}
