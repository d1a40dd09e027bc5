package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Walks once from the sample app to the login page, so that the demo says it is ready when it is. Over plain sockets: the
 * names below {@code .localhost} are loopback everywhere but in the JVM.
 */
final class FirstAnswer {
  private static final int TRIES = 300;
  private static final int MOST_REDIRECTS = 6;

  private FirstAnswer() {}

  /** Returns when the login page was answered; throws {@link StartRefused} after 30 s. */
  static void await(DemoPorts ports) throws InterruptedException {
    String last = "";
    for (int i = 0; i < TRIES; i++) {
      try {
        last = walk("http://app.localhost:" + ports.appHttp() + "/");
        if (last.equals("200")) {
          return;
        }
      } catch (IOException e) {
        last = e.getMessage();
      }
      Thread.sleep(100);
    }
    throw new StartRefused("The node started, but the way to its login page ends with: " + last);
  }

  private static String walk(String url) throws IOException {
    URI next = URI.create(url);
    Map<String, String> cookies = new LinkedHashMap<>();
    for (int i = 0; i < MOST_REDIRECTS; i++) {
      Answer answer = get(next, cookies);
      if (answer.location().isEmpty()) {
        return answer.status();
      }
      next = answer.location().get();
    }
    return "too many redirects";
  }

  private record Answer(String status, Optional<URI> location) {}

  /** Cookies are kept without regard to hosts: their names do not collide here. */
  private static Answer get(URI target, Map<String, String> cookies) throws IOException {
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    String request =
        "GET %s%s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n%s\r\n"
            .formatted(target.getRawPath(), query, target.getRawAuthority(), cookieField(cookies));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String status = Optional.ofNullable(in.readLine()).orElse("HTTP/1.1 000");
      Optional<URI> location = Optional.empty();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        String name = line.substring(0, Math.max(0, line.indexOf(':'))).toLowerCase(Locale.ROOT);
        String value = line.substring(line.indexOf(':') + 1).strip();
        if (name.equals("location")) {
          location = Optional.of(target.resolve(value));
        } else if (name.equals("set-cookie")) {
          String pair = value.split(";", 2)[0];
          cookies.put(pair.substring(0, pair.indexOf('=')), pair);
        }
      }
      return new Answer(status.split(" ", 3)[1], location);
    }
  }

  private static String cookieField(Map<String, String> cookies) {
    return cookies.isEmpty() ? "" : "Cookie: " + String.join("; ", cookies.values()) + "\r\n";
  }
}
