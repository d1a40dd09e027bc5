package dev.gatehouse.perf.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A program that calls a server: one connection, no cookies, and only the header fields that the call needs. */
public final class ApiClient implements AutoCloseable {

  private final Connection connection;

  public ApiClient(URI server) throws IOException {
    this.connection = new Connection(server);
  }

  /** Opens a new connection, because servers close idle ones. */
  public void reconnect() throws IOException {
    connection.reconnect();
  }

  /**
   * A GET request as it is sent.
   *
   * @param fields header fields, for example {@code Authorization: Bearer abc}
   */
  public String get(String target, String... fields) {
    return head("GET", target, fields) + "\r\n";
  }

  /**
   * A POST request as it is sent.
   *
   * @param form already encoded
   */
  public String post(String target, String form, String... fields) {
    int length = form.getBytes(StandardCharsets.ISO_8859_1).length;
    return head("POST", target, fields)
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + length + "\r\n\r\n" + form;
  }

  private String head(String method, String target, String... fields) {
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ");
    head.append(connection.server().getAuthority()).append("\r\nAccept: application/json\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head.toString();
  }

  /** @param request from {@link #get} or {@link #post} */
  public Answer send(String request) throws IOException {
    return connection.exchange(request);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
