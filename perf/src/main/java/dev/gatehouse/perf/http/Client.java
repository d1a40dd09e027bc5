package dev.gatehouse.perf.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;

/**
 * A client with one connection to one server, as a program or as a browser. A browser stores that server's cookies; their
 * attributes are ignored, because servers mark them Secure, and most load does not use TLS. It may have keys for
 * Device Bound Session Credentials.
 */
public final class Client implements AutoCloseable {

  private static final String PROGRAM = "Accept: application/json\r\n";
  private static final String BROWSER =
      "User-Agent: Gatehouse bench\r\nAccept: text/html\r\nAccept-Language: en\r\nSec-Fetch-Mode: navigate\r\n";

  private final Connection connection;
  private final String fields;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final boolean hasKeys;
  private Optional<DeviceKey> key = Optional.empty();

  private Client(URI server, String fields, boolean hasKeys, KeyManager... keys) throws IOException {
    this.connection = new Connection(server, "", keys);
    this.fields = fields;
    this.hasKeys = hasKeys;
  }

  /** A program: no cookies, and only the header fields that its calls need. */
  public static Client program(URI server) throws IOException {
    return new Client(server, PROGRAM, false);
  }

  /** A program with a certificate of its own. */
  public static Client program(URI server, KeyManager[] keys) throws IOException {
    return new Client(server, PROGRAM, false, keys);
  }

  public static Client browser(URI server) throws IOException {
    return browser(server, false);
  }

  /** @param hasKeys whether the browser registers a key where a server invites it to */
  public static Client browser(URI server, boolean hasKeys) throws IOException {
    return new Client(server, BROWSER, hasKeys);
  }

  /** Opens a new connection, because servers close idle ones. */
  public void reconnect() throws IOException {
    connection.reconnect();
  }

  /** Drops all cookies, which ends a login. */
  public void forget() {
    cookies.clear();
  }

  /** Drops all cookies but those whose names begin so. */
  public void forgetAllBut(String prefix) {
    cookies.keySet().removeIf(name -> !name.startsWith(prefix));
  }

  /**
   * A GET request as it is sent.
   *
   * @param more header fields, for example {@code Authorization: Bearer abc}
   */
  public String get(String target, String... more) {
    return head("GET", target, more) + "\r\n";
  }

  /**
   * A POST request as it is sent.
   *
   * @param form already encoded
   */
  public String post(String target, String form, String... more) {
    int length = form.getBytes(StandardCharsets.ISO_8859_1).length;
    return head("POST", target, more)
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + length + "\r\n\r\n" + form;
  }

  private String head(String method, String target, String... more) {
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ");
    head.append(connection.server().getAuthority()).append("\r\n").append(fields);
    if (!cookies.isEmpty()) {
      head.append(cookieField()).append("\r\n");
    }
    for (String field : more) {
      head.append(field).append("\r\n");
    }
    return head.toString();
  }

  /** @param request from {@link #get} or {@link #post} */
  public Answer send(String request) throws IOException {
    Answer answer = connection.exchange(request);
    if (fields.equals(BROWSER)) {
      answer.setCookies().forEach(this::store);
      if (hasKeys && !answer.keyInvitation().isEmpty()) {
        register(answer.keyInvitation());
      }
    }
    return answer;
  }

  /** Registers the key for the session that the answer began, before the next request, as a browser that is fast. */
  private void register(String invitation) throws IOException {
    DeviceKey own = key.orElseGet(DeviceKey::create);
    key = Optional.of(own);
    String proof = own.registration(DeviceKey.parameter(invitation, "challenge"));
    Answer registered =
        connection.exchange(
            head("POST", DeviceKey.parameter(invitation, "path"), "Secure-Session-Response: " + proof) + "Content-Length: 0\r\n\r\n");
    if (registered.status() != 200) {
      throw new IOException("the key was not registered: " + registered.status() + "\n" + registered.body());
    }
    registered.setCookies().forEach(this::store);
  }

  /** The Cookie field, with all cookies of the browser. */
  public String cookieField() {
    return "Cookie: " + cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; "));
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
