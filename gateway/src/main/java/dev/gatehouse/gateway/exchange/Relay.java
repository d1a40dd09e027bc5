package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.Via;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.UpstreamConnection;
import dev.gatehouse.gateway.netty.upstream.UpstreamListener;
import dev.gatehouse.gateway.netty.upstream.UpstreamPool;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.netty.websocket.Tunnel;
import dev.gatehouse.gateway.netty.websocket.TunnelSession;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.signon.BasicCredentials;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.ResponseSink;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.ConnectionAuthentication;
import dev.gatehouse.gateway.upstream.Demand;
import dev.gatehouse.gateway.upstream.RendezvousHash;
import dev.gatehouse.gateway.upstream.Upstream;
import dev.gatehouse.gateway.upstream.Upstream.Member;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import dev.gatehouse.gateway.websocket.Handshake;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a permitted request to its app and the response back; each side is read only as fast as the other side takes
 * the data.
 */
final class Relay implements UpstreamListener {

  private final ExchangeServices services;
  private final UpstreamPools pools;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final AppExchange exchange;
  private final ResponseSink sink;
  private final PermittedRequest request;
  private final RequestHead head;

  private final Upstream app;

  private @Nullable UpstreamConnection connection;
  private Handshake handshake = Handshake.NONE;
  private @Nullable Member member;
  private @Nullable UpstreamPool pool;
  private long tried;
  private int retries;
  private boolean repeated;
  private boolean refreshed;
  private boolean responded;
  private boolean cancelled;
  private boolean unflushed;

  /**
   * @param client the client whose request body is sent
   * @param sink takes the response
   */
  Relay(
      Exchanges exchanges, ClientStream client, ResponseSink sink, AppExchange exchange, PermittedRequest request) {
    this.services = exchanges.services();
    this.loop = exchanges.loop();
    this.pools = exchanges.pools();
    this.client = client;
    this.sink = sink;
    this.exchange = exchange;
    this.request = request;
    this.head = request.head();
    this.app = request.route().upstream();
  }

  /** Marks the request as a WebSocket handshake. */
  Relay upgrading(Handshake.Asked asked) {
    handshake = asked;
    return this;
  }

  void start() {
    if (!tryNext()) {
      giveUp(UpstreamFailure.UNAVAILABLE);
    }
  }

  /** Tries a server that was not tried yet; returns false if none is left. */
  private boolean tryNext() {
    long key =
        app.isHashed()
            ? RendezvousHash.key(app.config().balance(), head, request.permit().subject(), request.to().client())
            : 0;
    long now = System.nanoTime();
    Member chosen = app.choose(key, tried, head.isRepeatable(), now);
    if (chosen == null) {
      return false;
    }
    enter(chosen).acquire(this, app.timeouts(), head.isRepeatable(), now);
    return true;
  }

  private UpstreamPool enter(Member chosen) {
    member = chosen;
    tried |= chosen.bit();
    chosen.server().begun();
    client.requestCount().begun();
    // The event loop removes the pool of a server that the configuration no longer names.
    UpstreamPool entered = pools.pool(chosen.server());
    pool = entered;
    return entered;
  }

  /** Ends the use of the server, whether it succeeded or failed. */
  private @Nullable AppServer leave() {
    Member left = member;
    member = null;
    connection = null;
    if (repeated) {
      repeated = false;
      app.retryEnded();
    }
    if (left == null) {
      return null;
    }
    left.server().ended();
    client.requestCount().ended();
    return left.server();
  }

  @Override
  public void ready(UpstreamConnection ready) {
    if (cancelled) {
      ready.abandon();
      return;
    }
    connection = ready;
    if (ConnectionAuthentication.isIn(head.fields()) || mayBeLeftUnread()) {
      ready.useOnce();
    }
    if (handshake instanceof Handshake.Asked) {
      ready.mayUpgrade();
    }
    ready.writeHead(requestHead(), head.framing() instanceof BodyFraming.Chunked, head.isHead());
    if (head.hasBody()) {
      exchange.receiveBody();
    } else {
      ready.writeNoBody();
    }
    flush();
  }

  /**
   * Whether the request has a body although its method gives it no meaning (RFC 9110, section 9.3). Servers may leave
   * such a body unread, and the rest must not be taken for a request.
   */
  private boolean mayBeLeftUnread() {
    return head.hasBody()
        && switch (head.method()) {
          case "GET", "HEAD", "DELETE", "OPTIONS" -> true;
          case String other -> false;
        };
  }

  /** The head as the app receives it: the path that was authorized, and only fields that the gateway has examined. */
  private HeadBuffer requestHead() {
    HeadBuffer out = loop.head();
    out.put(head.method()).put(' ').put(basePath()).put(request.appPath());
    request.permit().edits().writeQuery(head.fields().bytes(), head.pathEnd(), head.targetEnd(), out);
    out.put(" HTTP/1.1").endLine();
    HeaderEdits edits = request.permit().edits();
    boolean strays = request.to().site().asksForPasswords() && BasicCredentials.areIn(head.fields());
    request
        .to()
        .table()
        .requestFields()
        .write(head.fields(), request.to().forwarded(), strays ? edits.withoutToken() : edits, out);
    Via.request(client.entry().protocol(), out);
    switch (head.framing()) {
      case BodyFraming.Length(long bytes) -> out.put("Content-Length: ").put(bytes).endLine();
      case BodyFraming.Chunked chunked -> out.put("Transfer-Encoding: chunked").endLine();
      case BodyFraming.None none -> {}
      case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
    }
    if (handshake instanceof Handshake.Asked) {
      Handshake.Asked.write(out);
    } else if (head.takesTrailers()) {
      // Without TE: trailers, an app need not send trailers (RFC 9110, section 6.5.1).
      out.put("TE: trailers").endLine().put("Connection: TE").endLine();
    }
    return out.endLine();
  }

  private String basePath() {
    return member == null ? "" : member.basePath();
  }

  void requestData(ByteBuf data) {
    UpstreamConnection to = connection;
    if (to == null) {
      data.release();
      return;
    }
    to.writeData(data);
    unflushed = true;
    if (!to.isWritable()) {
      to.flush();
      if (!to.isWritable()) {
        client.pauseBody(true);
      }
    }
  }

  /** Only a chunked body can carry trailers. */
  void requestTrailers(Fields trailers) {
    if (connection != null && head.framing() instanceof BodyFraming.Chunked) {
      HeadBuffer out = loop.head();
      request.to().table().requestFields().writeTrailers(trailers, out);
      if (out.length() > 0) {
        connection.writeTrailers(out);
      }
    }
  }

  void requestEnd() {
    if (connection != null) {
      connection.writeEnd();
      unflushed = true;
    }
  }

  void flushRequest() {
    if (unflushed) {
      flush();
    }
  }

  private void flush() {
    unflushed = false;
    if (connection != null) {
      connection.flush();
    }
  }

  void clientWritable() {
    if (connection != null) {
      connection.pauseReading(false);
    }
  }

  /**
   * Cancels the request because the client's connection closed or its request is malformed; returns whether the
   * response had begun.
   */
  boolean cancel() {
    cancelled = true;
    UpstreamConnection from = connection;
    if (from == null && member != null && pool != null) {
      pool.cancel(this);
    }
    leave();
    if (from != null) {
      from.abandon();
    }
    return responded;
  }

  @Override
  public void failed(UpstreamFailure failure, boolean stale) {
    boolean nothingSent = connection == null;
    long elapsed = connection == null ? 0 : connection.worked();
    Member last = member;
    AppServer server = leave();
    if (cancelled || last == null || server == null) {
      return;
    }
    if (stale && !refreshed && head.isRepeatable()) {
      // This is not a failure of the server: it closed an idle connection.
      refreshed = true;
      enter(last).open(this, app.timeouts());
      return;
    }
    if (failure != UpstreamFailure.BUSY) {
      server.failed(app.config().passive(), System.nanoTime());
    }
    client.entry().server(last.label(), elapsed);
    if (!retry(failure, nothingSent)) {
      giveUp(failure);
    }
  }

  /**
   * Retries on another server if that is safe and a server is left. It is safe if nothing was sent, or if the
   * connection broke before any response byte and the request is repeatable.
   */
  private boolean retry(UpstreamFailure failure, boolean nothingSent) {
    boolean broken = failure == UpstreamFailure.CLOSED && head.isRepeatable();
    if (retries >= app.config().retries().most() || !nothingSent && !broken) {
      return false;
    }
    if (!nothingSent && !app.mayRetry()) {
      return false;
    }
    retries++;
    repeated = !nothingSent;
    boolean found = tryNext();
    if (!found && repeated) {
      repeated = false;
      app.retryEnded();
    }
    return found;
  }

  private void giveUp(UpstreamFailure failure) {
    services.metrics().count(failure);
    if (sink.replaces(failure)) {
      return;
    }
    // Rendering a page for each request of a client that sends hundreds at once would slow down all other clients.
    if (failure == UpstreamFailure.BUSY && demand() == Demand.CONNECTION_HAS_MANY && client.refuse()) {
      exchange.done();
      return;
    }
    exchange.refuse(request.to(), request.path(), Refusal.of(failure, request.route().name()));
  }

  @Override
  public void head(ResponseHead response) {
    if (response.isInterim()) {
      if (response.status() != 100) {
        sink.interim(response);
      }
      return;
    }
    responded = true;
    if (member != null) {
      rateServer(member.server(), response.status());
    }
    sink.head(response, request.edits());
  }

  /**
   * A 502 to 504 from an app describes a failure behind it, so it does not count against the server unless configured.
   */
  private void rateServer(AppServer server, int status) {
    if (status >= 500 && app.config().passive().statuses().contains(status)) {
      server.failed(app.config().passive(), System.nanoTime());
    } else {
      server.succeeded();
    }
  }

  @Override
  public void upgraded(ResponseHead response) {
    UpstreamConnection from = connection;
    if (from == null) {
      return;
    }
    if (!(handshake instanceof Handshake.Asked asked) || !asked.isAcceptedBy(response) || !client.canTunnel()) {
      from.abandon();
      failed(UpstreamFailure.MALFORMED, false);
      return;
    }
    if (member != null) {
      AppServer server = member.server();
      server.succeeded();
      from.whenClosed(server::ended);
      client.requestCount().ended();
      member = null;
    }
    leave();
    exchange.done();
    Tunnel tunnel =
        new Tunnel(
            loop, TunnelSession.of(services.authn().sessions(), loop, request), request.route().config().protection().webSocket().idle(),
            services.limits().times().write());
    from.detach(tunnel.app());
    client.switchProtocols(response, request.edits(), tunnel.client());
    tunnel.open();
  }

  @Override
  public void data(ByteBuf data) {
    sink.data(data);
    UpstreamConnection from = connection;
    if (from != null && !sink.isWritable()) {
      sink.flush();
      from.pauseReading(!sink.isWritable());
    }
  }

  @Override
  public Demand demand() {
    return client.requestCount().demand();
  }

  @Override
  public void evicted() {
    logServer();
    leave();
    exchange.done();
    sink.abort();
  }

  @Override
  public int readSize() {
    return client.readSize();
  }

  @Override
  public void trailers(Fields trailers) {
    sink.trailers(trailers);
  }

  @Override
  public void pause() {
    if (responded) {
      sink.flush();
    }
  }

  @Override
  public void end() {
    logServer();
    leave();
    exchange.done();
    sink.end();
  }

  /** Records the server and its response time for the access log. */
  private void logServer() {
    if (member != null && connection != null) {
      client.entry().server(member.label(), connection.worked());
    }
  }

  @Override
  public void truncated() {
    logServer();
    AppServer server = leave();
    if (server != null) {
      server.failed(app.config().passive(), System.nanoTime());
    }
    exchange.done();
    sink.abort();
  }

  @Override
  public void writable() {
    client.pauseBody(false);
  }
}
