package dev.gatehouse.perf.load;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One browser with minimal cost: one connection to one server, and that server's cookies. Their attributes are ignored,
 * because servers mark them Secure, and this load does not use TLS.
 */
public final class Browser implements AutoCloseable {

  private final Connection connection;
  private final Map<String, String> cookies = new LinkedHashMap<>();

  public Browser(URI server) throws IOException {
    this.connection = new Connection(server);
  }

  /** Opens a new connection, because servers close idle ones. */
  public void reconnect() throws IOException {
    connection.reconnect();
  }

  /** Drops all cookies, which ends the login. */
  public void forget() {
    cookies.clear();
  }

  public Answer get(String target) throws IOException {
    return send("GET", target, "", "");
  }

  /** @param form already encoded */
  public Answer post(String target, String form, String origin) throws IOException {
    String fields =
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n"
            + (origin.isEmpty() ? "" : "Origin: " + origin + "\r\n");
    return send("POST", target, fields, form);
  }

  private Answer send(String method, String target, String fields, String body) throws IOException {
    Answer answer =
        connection.exchange(
            method + " " + target + " HTTP/1.1\r\nHost: " + connection.server().getAuthority()
                + "\r\nUser-Agent: Gatehouse bench\r\nAccept: text/html\r\nAccept-Language: en\r\n"
                + "Sec-Fetch-Mode: navigate\r\n"
                + (cookies.isEmpty() ? "" : "Cookie: " + cookieField() + "\r\n")
                + fields + "\r\n" + body);
    answer.setCookies().forEach(this::store);
    return answer;
  }

  private String cookieField() {
    return cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; "));
  }

  private void store(String setCookie) {
    int semicolon = setCookie.indexOf(';');
    String pair = semicolon < 0 ? setCookie : setCookie.substring(0, semicolon);
    int equals = pair.indexOf('=');
    if (setCookie.toLowerCase(Locale.ROOT).contains("max-age=0")) {
      cookies.remove(pair.substring(0, equals));
    } else {
      cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
