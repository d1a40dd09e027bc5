package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.metric.StatusTimer;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.gateway.message.RequestHead;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The access log data of one request, which metrics use, too. Belongs to the client's event loop; a connection that serves one request at a
 * time reuses one entry. Times are as of {@link System#nanoTime()}.
 */
public final class AccessEntry {

  /** The status, as in nginx, if the client closed the connection before there was a response. */
  public static final int CLIENT_GONE = 499;

  private static final byte[] NOTHING = new byte[0];

  private @Nullable RequestHead head;
  private @Nullable InetAddress client;
  private String protocol = "";
  private String tls = "";
  private String user = "";
  private String route = "";
  private @Nullable StatusTimer timer;
  private String cache = "";
  private byte[] server = NOTHING;
  private long begun;
  private long serverNanos = -1;
  private int status;
  private long bytes;
  private boolean open;

  private String requestId = "";
  private RequestTrace trace = RequestTrace.NONE;
  private String tracedRoute = "";

  /** Set on another thread before the response is passed to the event loop. */
  private volatile String reason = "";

  /**
   * Begins a request.
   *
   * @param read its head; null if it is malformed
   * @param protocol such as {@code HTTP/1.1}
   * @param tls such as {@code TLSv1.3}; empty without TLS
   * @param id of the request
   */
  public void begin(@Nullable RequestHead read, InetAddress peer, String protocol, String tls, long now, String id) {
    requestId = id;
    head = read;
    client = peer;
    this.protocol = protocol;
    this.tls = tls;
    begun = now;
    user = "";
    route = "";
    timer = null;
    cache = "";
    server = NOTHING;
    serverNanos = -1;
    status = 0;
    bytes = 0;
    if (!reason.isEmpty()) {
      reason = "";
    }
    trace = RequestTrace.NONE;
    open = true;
  }

  /** Ends the request. Returns true once for each {@link #begin}: the line must be written now. */
  public boolean end() {
    boolean was = open;
    open = false;
    return was;
  }

  /** Begins a span of the request, too. */
  public void trace(RequestTrace begun) {
    trace = begun;
    tracedRoute = "";
  }

  /** The place of the request in a trace. */
  public RequestTrace trace() {
    return trace;
  }

  /** Sets the path of the route for the span: one of the configuration or of ours, never the client's. */
  public void tracedRoute(String path) {
    tracedRoute = path;
  }

  /** Ends the span of the request. */
  public void endTrace() {
    if (trace.isSampled()) {
      trace.span().setAttribute("url.scheme", tls.isEmpty() ? "http" : "https");
      trace.span().setAttribute("network.protocol.version", protocol.equals("HTTP/2.0") ? "2" : protocol.replace("HTTP/", ""));
      if (!route.isEmpty()) {
        trace.span().setAttribute("gatehouse.route", route);
      }
      if (!cache.isEmpty()) {
        trace.span().setAttribute("gatehouse.cache", cache);
      }
      trace.end(tracedRoute, status(), reason, requestId);
    }
  }

  /** Sets the client's address as trusted proxies report it. */
  public void client(InetAddress address) {
    client = address;
  }

  /** Sets the person's name. */
  public void user(String name) {
    user = name;
  }

  /** @param by records how long requests of the route take */
  public void route(String name, StatusTimer by) {
    route = name;
    timer = by;
  }

  /**
   * Records how long the request took.
   *
   * @param unrouted records requests without a route
   */
  public void took(long now, StatusTimer unrouted) {
    StatusTimer by = timer;
    (by == null ? unrouted : by).record(status(), now - begun);
  }

  /** Sets the result of the cache, such as HIT or MISS. */
  public void cache(String state) {
    cache = state;
  }

  /**
   * Records the app's server that answered or failed.
   *
   * @param label host and port
   */
  public void server(byte[] label, long nanos) {
    server = label;
    serverNanos = nanos;
  }

  /** Returns the app's server that answered or failed. */
  public Optional<RefusalTrace.Upstream> upstream() {
    return server.length == 0
        ? Optional.empty()
        : Optional.of(
            new RefusalTrace.Upstream(
                new String(server, StandardCharsets.ISO_8859_1), TimeUnit.NANOSECONDS.toMillis(Math.max(0, serverNanos))));
  }

  public void status(int code) {
    status = code;
  }

  /** Counts bytes of the response's body. */
  public void sent(long count) {
    bytes += count;
  }

  /** Records the reason of a refusal; may be called on any thread. */
  public void refused(String why) {
    reason = why;
  }

  /** The id of the request; empty for requests of the gateway itself. */
  public String requestId() {
    return requestId;
  }

  @Nullable RequestHead head() {
    return head;
  }

  @Nullable InetAddress client() {
    return client;
  }

  /** Such as {@code HTTP/1.1}; empty for requests of the gateway itself. */
  public String protocol() {
    return protocol;
  }

  String tls() {
    return tls;
  }

  String user() {
    return user;
  }

  String route() {
    return route;
  }

  String cache() {
    return cache;
  }

  byte[] server() {
    return server;
  }

  /** The app's response time; -1 if no app was called. */
  long serverNanos() {
    return serverNanos;
  }

  long begun() {
    return begun;
  }

  int status() {
    return status == 0 ? CLIENT_GONE : status;
  }

  long bytes() {
    return bytes;
  }

  String reason() {
    return reason;
  }
}
