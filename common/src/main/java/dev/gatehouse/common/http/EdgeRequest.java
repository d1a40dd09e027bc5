package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One request as an edge received it. The edge has already applied trusted proxies' Forwarded headers, bounded the body
 * and checked that Host is present and single. Query and form are parsed once and reused.
 */
public final class EdgeRequest {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final String method;
  private final Origin origin;
  private final String path;
  private final String query;
  private final Headers headers;
  private final Headers received;
  private final byte[] body;
  private final Sender sender;

  // Two threads may both parse the parameters; the results are equal.
  private Optional<Parameters> queryParameters = Optional.empty();
  private Optional<Parameters> formParameters = Optional.empty();
  private Optional<Found> found = Optional.empty();

  private record Found(Object key, Object value) {}

  private record Sender(InetAddress client, int clientHello) {}

  /**
   * Creates a request.
   *
   * @param method upper case, as sent
   * @param origin scheme, host and port to which the client sent the request
   * @param path raw, beginning with a slash, without query
   * @param query raw, without the question mark; empty if there is none
   * @param headers without {@code Host}
   * @param body bounded by the edge (1 MiB at most); never null, may be empty
   * @param client the address of the client, beyond trusted proxies
   */
  public EdgeRequest(
      String method, Origin origin, String path, String query, Headers headers, byte[] body, InetAddress client) {
    this(method, origin, path, query, headers, headers, body, new Sender(client, 0));
  }

  private EdgeRequest(
      String method, Origin origin, String path, String query, Headers headers, Headers received, byte[] body, Sender sender) {
    this.received = received;
    this.method = method;
    this.origin = origin;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.body = body;
    this.sender = sender;
  }

  /** Returns this request with another body. */
  public EdgeRequest withBody(byte[] read) {
    return new EdgeRequest(method, origin, path, query, headers, received, read, sender);
  }

  /** Returns this request with the digest of its connection's ClientHello. */
  public EdgeRequest withClientHello(int digest) {
    return new EdgeRequest(method, origin, path, query, headers, received, body, new Sender(sender.client(), digest));
  }

  /** Returns a digest of what the client's TLS library offers at the beginning of a connection; 0 if the edge does not know it. */
  public int clientHello() {
    return sender.clientHello();
  }

  public String method() {
    return method;
  }

  public Origin origin() {
    return origin;
  }

  public String path() {
    return path;
  }

  public String query() {
    return query;
  }

  public Headers headers() {
    return headers;
  }

  /** Returns the header fields as the client sent them, without what {@link #withHeaderFirst} added. */
  public Headers received() {
    return received;
  }

  public byte[] body() {
    return body;
  }

  public InetAddress client() {
    return sender.client();
  }

  /** Returns the query's parameters; throws {@link Parameters.Malformed}. */
  public Parameters queryParameters() {
    if (queryParameters.isEmpty()) {
      queryParameters = Optional.of(Parameters.parse(query));
    }
    return queryParameters.get();
  }

  /** Returns the form's parameters, none if the body is not a form; throws {@link Parameters.Malformed}. */
  public Parameters formParameters() {
    if (formParameters.isEmpty()) {
      formParameters =
          Optional.of(isForm() ? Parameters.parse(new String(body, StandardCharsets.UTF_8)) : Parameters.none());
    }
    return formParameters.get();
  }

  /**
   * Returns the value found in this request under that key before, or the result of {@code find}: for values that are expensive and
   * needed in several places. Only the latest one is stored.
   */
  public <T> T findOnce(Object key, Class<T> type, Supplier<T> find) {
    Optional<Found> before = found.filter(kept -> kept.key().equals(key) && type.isInstance(kept.value()));
    if (before.isPresent()) {
      return type.cast(before.get().value());
    }
    T value = find.get();
    found = Optional.of(new Found(key, value));
    return value;
  }

  public boolean isForm() {
    String type = headers.first("Content-Type").orElse("");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().equalsIgnoreCase(FORM);
  }

  public boolean isGet() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** Returns the first cookie of exactly that name (RFC 6265, section 5.4). */
  public Optional<String> cookie(String name) {
    return Cookies.find(headers.all("Cookie"), name);
  }

  /**
   * Returns whether a person is navigating to a page: by {@code Sec-Fetch-Mode} if the browser sends it, else by {@code
   * Accept}. Only navigations are redirected to a login.
   */
  public boolean isNavigation() {
    return headers
        .first("Sec-Fetch-Mode")
        .map(mode -> mode.equals("navigate"))
        .orElseGet(() -> headers.first("Accept").orElse("").toLowerCase(Locale.ROOT).contains("text/html"));
  }

  /** Returns this request with one more header field, in front of other fields of that name. */
  public EdgeRequest withHeaderFirst(String name, String value) {
    java.util.List<Headers.Field> fields = new java.util.ArrayList<>();
    fields.add(new Headers.Field(name, value));
    fields.addAll(headers.fields());
    return new EdgeRequest(method, origin, path, query, Headers.of(fields), received, body, sender);
  }

  /** Returns method and path only: queries and bodies carry messages and secrets. */
  @Override
  public String toString() {
    return method + " " + origin + path;
  }
}
