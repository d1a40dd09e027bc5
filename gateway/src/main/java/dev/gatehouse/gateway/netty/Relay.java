package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.ConnectionAuthentication;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import dev.gatehouse.gateway.websocket.Handshake;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Carries a permitted request to its app and the response back, each side at the pace of the other. */
final class Relay implements UpstreamListener {

  private final Services services;
  private final Loop loop;
  private final ClientStream client;
  private final Exchange exchange;
  private final ResponseSink sink;
  private final Permitted request;
  private final RequestHead head;

  private @Nullable UpstreamConnection connection;
  private Handshake handshake = Handshake.NONE;
  private boolean retried;
  private boolean responded;
  private boolean cancelled;
  private boolean unflushed;

  /**
   * @param client whose request's body is sent
   * @param sink what takes the response
   */
  Relay(
      Services services, Loop loop, ClientStream client, ResponseSink sink, Exchange exchange, Permitted request) {
    this.services = services;
    this.loop = loop;
    this.client = client;
    this.sink = sink;
    this.exchange = exchange;
    this.request = request;
    this.head = request.head();
  }

  /** The request asks for a WebSocket. */
  Relay upgrading(Handshake.Asked asked) {
    handshake = asked;
    return this;
  }

  void start() {
    loop.pool(request.route().upstream().origin()).acquire(this, head.isRepeatable());
  }

  @Override
  public void ready(UpstreamConnection ready) {
    if (cancelled) {
      ready.abandon();
      return;
    }
    connection = ready;
    if (ConnectionAuthentication.isIn(head.fields())) {
      ready.useOnce();
    }
    if (handshake instanceof Handshake.Asked) {
      ready.mayUpgrade();
    }
    ready.writeHead(requestHead(), head.framing() instanceof BodyFraming.Chunked, head.isHead());
    if (head.hasBody()) {
      exchange.receiveBody();
    } else {
      ready.writeEnd();
    }
    flush();
  }

  /** The head as the app receives it: the path that was authorised, and nothing that we did not look at. */
  private HeadBuffer requestHead() {
    HeadBuffer out = loop.head();
    out.put(head.method()).put(' ').put(request.route().upstream().basePath()).put(request.path());
    out.put(head.fields().bytes(), head.pathEnd(), head.targetEnd());
    out.put(" HTTP/1.1").endLine();
    request.to().table().requestFields().write(head.fields(), request.to().forwarded(), request.permit().edits(), out);
    switch (head.framing()) {
      case BodyFraming.Length(long bytes) -> out.put("Content-Length: ").put(bytes).endLine();
      case BodyFraming.Chunked chunked -> out.put("Transfer-Encoding: chunked").endLine();
      case BodyFraming.None none -> {}
      case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
    }
    if (handshake instanceof Handshake.Asked) {
      Handshake.Asked.write(out);
    }
    return out.endLine();
  }

  void requestData(ByteBuf data) {
    UpstreamConnection app = connection;
    if (app == null) {
      data.release();
      return;
    }
    app.writeData(data);
    unflushed = true;
    if (!app.isWritable()) {
      app.flush();
      if (!app.isWritable()) {
        client.pauseBody(true);
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

  /** The client is gone or unreadable; says whether the response had begun. */
  boolean cancel() {
    cancelled = true;
    UpstreamConnection app = connection;
    connection = null;
    if (app != null) {
      app.abandon();
    }
    return responded;
  }

  @Override
  public void failed(UpstreamFailure failure, boolean stale) {
    connection = null;
    if (cancelled) {
      return;
    }
    if (stale && !retried && head.isRepeatable()) {
      retried = true;
      loop.pool(request.route().upstream().origin()).open(this);
      return;
    }
    services.meters().count(failure);
    if (!sink.replaces(failure)) {
      exchange.refuse(request.to(), request.path(), Refusal.of(failure, request.route().name()));
    }
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
    sink.head(response, ResponseEdits.of(request.identified()));
  }

  @Override
  public void upgraded(ResponseHead response) {
    UpstreamConnection app = connection;
    if (app == null) {
      return;
    }
    if (!(handshake instanceof Handshake.Asked asked) || !asked.isAcceptedBy(response) || !client.canTunnel()) {
      app.abandon();
      failed(UpstreamFailure.MALFORMED, false);
      return;
    }
    connection = null;
    exchange.done();
    Tunnel tunnel =
        new Tunnel(
            loop, TunnelSession.of(services, loop, request), request.route().config().webSocket().idle(),
            services.limits().write());
    app.detach(tunnel.app());
    client.switchProtocols(response, ResponseEdits.of(request.identified()), tunnel.client());
    tunnel.open();
  }

  @Override
  public void data(ByteBuf data) {
    sink.data(data);
    UpstreamConnection app = connection;
    if (app != null && !sink.isWritable()) {
      sink.flush();
      app.pauseReading(!sink.isWritable());
    }
  }

  @Override
  public void pause() {
    if (responded) {
      sink.flush();
    }
  }

  @Override
  public void end() {
    connection = null;
    exchange.done();
    sink.end();
  }

  @Override
  public void truncated() {
    connection = null;
    exchange.done();
    sink.abort();
  }

  @Override
  public void writable() {
    client.pauseBody(false);
  }
}
