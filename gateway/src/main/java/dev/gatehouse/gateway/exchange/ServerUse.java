package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.netty.upstream.UpstreamConnection;
import dev.gatehouse.gateway.netty.upstream.UpstreamListener;
import dev.gatehouse.gateway.netty.upstream.UpstreamPool;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.Upstream;
import dev.gatehouse.gateway.upstream.Upstream.Member;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The app's server that a request uses at the moment, counted as one of its outstanding requests and as one of the
 * client's.
 */
final class ServerUse {

  private final Upstream app;
  private final UpstreamPools pools;
  private final ClientStream client;
  private @Nullable Member member;
  private @Nullable UpstreamPool pool;
  private long tried;
  private int answered;
  private Span span = Span.getInvalid();

  ServerUse(Upstream app, UpstreamPools pools, ClientStream client) {
    this.app = app;
    this.pools = pools;
    this.client = client;
  }

  /** The server in use. */
  @Nullable Member member() {
    return member;
  }

  String basePath() {
    return member == null ? "" : member.basePath();
  }

  /** Begins to use a server that was not tried yet; null if none is left. */
  @Nullable UpstreamPool beginNext(long key, boolean repeatable, long now) {
    Member chosen = app.choose(key, tried, repeatable, now);
    return chosen == null ? null : begin(chosen);
  }

  UpstreamPool begin(Member chosen) {
    member = chosen;
    tried |= chosen.bit();
    chosen.server().begun();
    span = begin(chosen.server().origin());
    client.requestCount().begun();
    // The event loop removes the pool of a server that the configuration no longer names.
    UpstreamPool entered = pools.pool(chosen.server());
    pool = entered;
    return entered;
  }

  private Span begin(Origin server) {
    return client.entry().trace().upstream(server.host(), server.port());
  }

  /** The span of the use. */
  Span span() {
    return span;
  }

  /** Notes in the span why the use failed. Returns the server, or null if none was in use. */
  @Nullable Member failed(UpstreamFailure failure) {
    if (span.isRecording()) {
      span.setAttribute("error.type", failure.name().toLowerCase(Locale.ROOT));
      span.setStatus(StatusCode.ERROR);
    }
    return member;
  }

  /** Ends the use, whether it succeeded or failed. Returns the server, or null if none was in use. */
  @Nullable AppServer end() {
    Member left = member;
    member = null;
    if (left == null) {
      return null;
    }
    span.end();
    left.server().ended();
    client.requestCount().ended();
    return left.server();
  }

  /** The request no longer waits for a connection to the server. */
  void cancel(UpstreamListener waiting) {
    if (member != null && pool != null) {
      pool.cancel(waiting);
    }
  }

  /**
   * Rates the server by its response. A 502 to 504 from an app describes a failure behind it, so it does not count
   * against the server unless configured.
   */
  void rate(int status) {
    answered = status;
    if (span.isRecording()) {
      span.setAttribute("http.response.status_code", status);
    }
    if (member == null) {
      return;
    }
    if (status >= 500 && app.config().passive().statuses().contains(status)) {
      member.server().failed(app.config().passive(), System.nanoTime());
    } else {
      member.server().succeeded();
    }
  }

  /** The status of the server's last response; 0 before it. */
  int answered() {
    return answered;
  }

  /** The server has accepted a WebSocket, which counts as outstanding until its connection closes. */
  void keepUntilClosed(UpstreamConnection connection) {
    if (member == null) {
      return;
    }
    AppServer server = member.server();
    server.succeeded();
    span.end();
    connection.whenClosed(server::ended);
    client.requestCount().ended();
    member = null;
  }
}
