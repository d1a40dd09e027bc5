package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.message.Http2RequestHeads;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.BufferRelief;
import dev.gatehouse.gateway.netty.loop.FairQueue;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.stream.RequestCount;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.gateway.upstream.Demand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 client connection (RFC 9113): many concurrent requests, each an {@link Http2ClientStream} with its own
 * exchange. Output of all streams is flushed once per turn of the event loop.
 */
public final class Http2ClientConnection extends Http2ConnectionHandler implements WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http2ClientConnection.class);

  private final Exchanges exchanges;
  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection client;
  private final DecisionMemo memo;
  private final RequestCount requests;
  private final Http2Floods floods = new Http2Floods(this::flooded);
  private final FrameScan scan = new FrameScan(Http2CodecUtil.connectionPrefaceBuf().readableBytes());
  private final MinimumRate pace;
  private final Http2Streams streams;
  private final Runnable flush = this::flushNow;
  private final Http2Refusals refusals;

  private @Nullable ChannelHandlerContext context;
  private @Nullable String tls;
  private boolean flushing;
  private int begunNow;
  private long since = System.nanoTime();
  private long stalledSince;

  private Http2ClientConnection(Exchanges exchanges, ClientConnection client, Http2Codec codec) {
    super(codec.decoder(), codec.encoder(), codec.settings());
    this.exchanges = exchanges;
    this.services = exchanges.services();
    this.loop = exchanges.loop();
    this.client = client;
    this.memo = new DecisionMemo(!client.isPeerTrusted(), client::clientHello);
    this.requests = new RequestCount(client.ofAddress());
    this.refusals = new Http2Refusals(services, loop, client);
    NodeLimits limits = services.limits();
    int minRate = limits.flow().minRate();
    this.pace = new MinimumRate(limits.times().head(), minRate);
    this.streams =
        new Http2Streams(
            connection(), new MinimumRate(limits.times().body(), minRate), new MinimumRate(limits.times().write(), minRate));
    pace.restart(System.nanoTime());
    gracefulShutdownTimeoutMillis(limits.times().drain().toMillis());
  }

  public static Http2ClientConnection create(Exchanges exchanges, ClientConnection client) {
    Http2Codec codec = new Http2Codec(exchanges.services().limits().messages().head());
    Http2ClientConnection created = new Http2ClientConnection(exchanges, client, codec);
    Http2Frames frames = new Http2Frames(created, new Http2RequestHeads(exchanges.services().requests()));
    codec.decoder().frameListener(frames);
    created.connection().addListener(frames);
    return created;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    super.handlerAdded(ctx);
    tighten(loop.isTight());
    loop.watch(this);
    Http2LocalFlowController window = connection().local().flowController();
    window.incrementWindowSize(connection().connectionStream(), Http2Codec.CONNECTION_WINDOW - window.initialWindowSize());
    flush(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    ByteBuf in = (ByteBuf) message;
    long now = System.nanoTime();
    long completed = scan.completed();
    boolean inside = scan.isInside();
    scan.scan(in);
    begunNow = 0;
    if (inside && scan.completed() == completed) {
      pace.arrived(in.readableBytes(), now);
    } else {
      pace.restart(now);
    }
    super.channelRead(ctx, message);
  }

  Http2Streams streams() {
    return streams;
  }

  /** Begins a request whose head has arrived. */
  void begin(int id, ParsedRequest parsed, boolean last) throws Http2Exception {
    Http2Stream stream = connection().stream(id);
    if (stream == null) {
      return;
    }
    floods.earn(4);
    switch (parsed) {
      case RequestHead head -> {
        Http2ClientStream begun = new Http2ClientStream(this, stream, head, last);
        streams.add(stream, begun);
        begin(begun, exchanges.create(begun, client, memo, head));
      }
      case ParsedRequest.Malformed(Malformation malformation) -> malformed(stream, malformation, last);
    }
  }

  private void begin(Http2ClientStream begun, Exchange exchange) {
    begunNow++;
    if (begunNow <= FairQueue.AT_ONCE && requests.demand() == Demand.FEW) {
      begun.begin(exchange);
      return;
    }
    begun.postpone(exchange);
    loop.fairQueue().begin(requests.address(), context().channel(), begun::beginPostponed);
  }

  private void malformed(Http2Stream stream, Malformation malformation, boolean last) throws Http2Exception {
    services.metrics().count(GatewayMetrics.Outcome.MALFORMED);
    Http2ClientStream begun = new Http2ClientStream(this, stream, null, last);
    streams.add(stream, begun);
    switch (malformation) {
      case TARGET_TOO_LONG, HEAD_TOO_LARGE, METHOD_REFUSED, EXPECTATION ->
          refusals.answer(Refusal.of(malformation), begun.entry(), begun::reply);
      default -> begun.malformed(malformation);
    }
  }

  /** Resets a stream whose content is malformed (RFC 9113, section 8.1.1). */
  void reset(Http2Stream stream, Malformation malformation) throws Http2Exception {
    refusals.note(Refusal.of(malformation));
    reset(stream, Http2Error.PROTOCOL_ERROR);
    floods.reset();
  }

  void reset(Http2Stream stream, Http2Error error) {
    ChannelHandlerContext ctx = context();
    resetStream(ctx, stream.id(), error.code(), ctx.newPromise());
    flushSoon();
  }

  private void flooded() {
    refusals.note(Refusal.flooded());
  }

  Http2Floods floods() {
    return floods;
  }

  void closed(Http2Stream stream) {
    since = System.nanoTime();
    Http2ClientStream ended = streams.of(stream);
    if (ended != null) {
      ended.closed();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    streams.readComplete();
    super.channelReadComplete(ctx);
  }

  /** Flushes once for all streams that have written in this turn of the event loop. */
  void flushSoon() {
    if (!flushing) {
      flushing = true;
      loop.executor().execute(flush);
    }
  }

  private void flushNow() {
    flushing = false;
    flush(context());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    stalledSince = System.nanoTime();
    // Requests of a client that reads no responses would make us buffer every response.
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    super.channelWritabilityChanged(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    loop.forget(this);
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException || cause instanceof DecoderException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
    super.onStreamError(ctx, outbound, cause, error);
    try {
      floods.reset();
    } catch (Http2Exception flood) {
      onConnectionError(ctx, outbound, flood, flood);
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception error) {
    if (error == null && !(cause instanceof IOException)) {
      LOG.error("A client's connection failed", cause);
    }
    LOG.debug("A client's connection ends", cause);
    super.onConnectionError(ctx, outbound, cause, error);
  }

  @Override
  public void check(long now) {
    NodeLimits limits = services.limits();
    ChannelHandlerContext ctx = context();
    boolean stalled = !ctx.channel().isWritable() && now - stalledSince > limits.times().write().toNanos();
    if (stalled || scan.isInside() && pace.isOver(now)) {
      // A graceful end is skipped, because a client that does not read would not read GOAWAY either.
      AbruptEnd.close(ctx.channel());
      return;
    }
    if (connection().numActiveStreams() == 0) {
      if (now - since > limits.times().idle().toNanos()) {
        ctx.channel().close();
      }
      return;
    }
    try {
      if (streams.areStuck(now)) {
        endStuck(ctx);
      }
    } catch (Http2Exception e) {
      onError(ctx, false, e);
    }
  }

  /** Ends the connection with GOAWAY if it can still be sent; a client that does not read at all would not read it. */
  private void endStuck(ChannelHandlerContext ctx) {
    ByteBuf why = ByteBufUtil.writeAscii(ctx.alloc(), "nothing is read");
    int last = connection().remote().lastStreamCreated();
    goAway(ctx, last, Http2Error.ENHANCE_YOUR_CALM.code(), why, ctx.newPromise());
    ctx.flush();
    if (ctx.channel().isWritable()) {
      ctx.close();
    } else {
      AbruptEnd.close(ctx.channel());
    }
  }

  /** Returns whether all streams together have read ahead as much as they may. */
  boolean isCrowded() {
    return streams.unread() >= services.limits().flow().connectionBuffer() || loop.isTight() && streams.unread() > 0;
  }

  @Override
  public long held() {
    Channel channel = context().channel();
    return channel.isOpen() ? streams.buffered() + Math.max(streams.unread(), BufferRelief.pending(channel)) : 0;
  }

  @Override
  public void tighten(boolean tight) {
    BufferRelief.mark(context().channel(), tight, services.limits().flow().connectionBuffer() / 2);
  }

  @Override
  public void evict() {
    AbruptEnd.close(context().channel());
  }

  @Override
  public void announceEnd() {
    GracefulEnd.announce(this, context());
  }

  @Override
  public void drain() {
    GracefulEnd.begin(this, context());
  }

  /** The access log entry of a request that begins now. */
  AccessEntry newEntry(@Nullable RequestHead head) {
    if (tls == null) {
      SslHandler handler = context().pipeline().get(SslHandler.class);
      tls = handler == null ? "" : handler.engine().getSession().getProtocol();
    }
    AccessEntry entry = new AccessEntry();
    entry.begin(head, client.peer(), "HTTP/2.0", tls, System.nanoTime(), loop().requestId(head, client.isPeerTrusted()));
    loop().trace(entry, head, client.isPeerTrusted());
    return entry;
  }

  RequestCount requests() {
    return requests;
  }

  GatewayEventLoop loop() {
    return loop;
  }

  ChannelHandlerContext context() {
    return java.util.Objects.requireNonNull(context);
  }
}
