package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.UpstreamConnection;
import dev.gatehouse.gateway.netty.upstream.UpstreamListener;
import dev.gatehouse.gateway.netty.upstream.UpstreamPool;
import dev.gatehouse.gateway.netty.websocket.Tunnel;
import dev.gatehouse.gateway.netty.websocket.TunnelSession;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.PermittedRequest;
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
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final AppExchange exchange;
  private final ResponseSink sink;
  private final PermittedRequest request;
  private final RequestHead head;

  private final Upstream app;
  private final ServerUse use;

  private @Nullable UpstreamConnection connection;
  private Handshake handshake = Handshake.NONE;
  private @Nullable Retries retries;
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
    this.client = client;
    this.sink = sink;
    this.exchange = exchange;
    this.request = request;
    this.head = request.head();
    this.app = request.route().upstream();
    this.use = new ServerUse(app, exchanges.pools(), client);
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
    UpstreamPool pool = use.beginNext(key, head.isRepeatable(), now);
    if (pool == null) {
      return false;
    }
    pool.acquire(this, app.timeouts(), head.isRepeatable(), now);
    return true;
  }

  /** Ends the use of the server, whether it succeeded or failed. */
  private @Nullable AppServer leave() {
    connection = null;
    if (retries != null) {
      retries.ended();
    }
    return use.end();
  }

  @Override
  public void ready(UpstreamConnection ready) {
    if (cancelled) {
      ready.abandon();
      return;
    }
    connection = ready;
    if (ConnectionAuthentication.isIn(head.fields()) || RequestHeads.mayBeLeftUnread(head)) {
      ready.useOnce();
    }
    boolean upgrade = handshake instanceof Handshake.Asked;
    if (upgrade) {
      ready.mayUpgrade();
    }
    HeadBuffer out = RequestHeads.proxied(request, use.basePath(), client.entry(), use.span(), upgrade, loop.head());
    ready.writeHead(out, head.framing() instanceof BodyFraming.Chunked, head.isHead());
    if (head.hasBody()) {
      exchange.receiveBody();
    } else {
      ready.writeNoBody();
    }
    flush();
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
    if (from == null) {
      use.cancel(this);
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
    Member last = use.failed(failure);
    AppServer server = leave();
    if (cancelled || last == null || server == null) {
      return;
    }
    Retries again = retries == null ? new Retries(app, head.isRepeatable()) : retries;
    retries = again;
    if (again.refresh(stale)) {
      use.begin(last).open(this, app.timeouts());
      return;
    }
    if (failure != UpstreamFailure.BUSY) {
      server.failed(app.config().passive(), System.nanoTime());
    }
    client.entry().server(last.label(), elapsed);
    server.took(0, elapsed);
    if (!again.next(server, failure, nothingSent)) {
      giveUp(failure);
    } else if (!tryNext()) {
      again.ended();
      giveUp(failure);
    }
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
    use.rate(response.status());
    sink.head(response, request.edits());
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
    use.keepUntilClosed(from);
    leave();
    exchange.done();
    Tunnel tunnel =
        new Tunnel(
            loop, TunnelSession.of(services.authn().sessions(), loop, request, new TunnelRule(services, request)),
            request.route().config().protection().webSocket().idle(), services.limits().times().write());
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
    Member member = use.member();
    if (member != null && connection != null) {
      client.entry().server(member.label(), connection.worked());
      member.server().took(use.answered(), connection.worked());
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
