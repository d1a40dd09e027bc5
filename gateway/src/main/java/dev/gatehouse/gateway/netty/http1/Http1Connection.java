package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.NodeLimits;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.exchange.EdgeRequests;
import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.BodyReader;
import dev.gatehouse.gateway.netty.codec.HeadReader;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import dev.gatehouse.gateway.netty.loop.AbruptEnd;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.BufferRelief;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.netty.websocket.TunnelEnd;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.RequestCount;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.gateway.upstream.Demand;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 client connection. Serves one request after the other: what a client sends ahead waits in a bounded
 * buffer until the previous response is complete, so that responses are always in order.
 */
public final class Http1Connection extends ChannelInboundHandlerAdapter implements ClientStream, WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);

  /** Bytes that may wait unread. */
  private static final int MAX_WAITING = 64 * 1024;

  private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

  private enum State {
    /** Between requests, or within a head. */
    HEAD,
    /** The head was read, and the body has not been asked for. */
    HEAD_READ,
    /** The body is being passed to the exchange. */
    BODY,
    /** The request was read completely. */
    RESPONDING,
    /** The last response was sent; further input is discarded until the client closes. */
    LINGERING
  }

  private final Exchanges exchanges;
  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection client;
  private final DecisionMemo memo = new DecisionMemo();
  private final AccessEntry entry = new AccessEntry();
  private final RequestCount requests;
  private final HeadReader heads;
  private final MinimumRate bodyRate;

  /** How fast the client reads its response. */
  private final MinimumRate readingRate;

  private @Nullable ChannelHandlerContext context;
  private @Nullable ResponseWriter writer;
  private @Nullable ByteBuf input;
  private @Nullable RequestHead head;
  private @Nullable BodyReader body;
  private @Nullable Exchange exchange;
  private State state = State.HEAD;
  private boolean processing;
  private boolean bodyPaused;
  private boolean closing;
  private boolean reading = true;
  private @Nullable String tls;
  private long since = System.nanoTime();
  private long headSince;
  private long unread;
  private @Nullable PacedBody pacedBody;
  private boolean endsWhenSent;

  public Http1Connection(Exchanges exchanges, ClientConnection client) {
    this.exchanges = exchanges;
    this.services = exchanges.services();
    this.loop = exchanges.loop();
    this.client = client;
    this.requests = new RequestCount(client.ofAddress());
    this.heads = HeadReader.ofRequests(services.requests().limits());
    int minRate = services.limits().flow().minRate();
    this.bodyRate = new MinimumRate(services.limits().times().body(), minRate);
    this.readingRate = new MinimumRate(services.limits().times().write(), minRate);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    ResponseWriter responses = new ResponseWriter(ctx, loop);
    writer = responses;
    pacedBody = new PacedBody(ctx.channel(), responses, ctx.pipeline().get(SslHandler.class) != null);
    tighten(loop.isTight());
    loop.watch(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (state == State.LINGERING) {
      in.release();
      return;
    }
    since = System.nanoTime();
    bodyRate.arrived(in.readableBytes(), since);
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    process();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (exchange != null) {
      exchange.readComplete();
    }
  }

  /** Processes as much input as the state allows; a nested call returns at once, because the outer call continues. */
  private void process() {
    if (processing) {
      return;
    }
    processing = true;
    try {
      boolean more = true;
      while (more && input != null) {
        more = step(input);
        if (input != null && !input.isReadable()) {
          input.release();
          input = null;
        }
      }
    } finally {
      processing = false;
    }
    regulateReading();
  }

  private boolean step(ByteBuf in) {
    return switch (state) {
      // A client that pipelines requests without reading responses would make us buffer every response.
      case HEAD -> in.isReadable() && isWritable() && readHead(in);
      case BODY -> readBody(in);
      case HEAD_READ, RESPONDING -> false;
      case LINGERING -> {
        in.skipBytes(in.readableBytes());
        yield false;
      }
    };
  }

  private boolean readHead(ByteBuf in) {
    if (headSince == 0) {
      headSince = since;
    }
    byte[] bytes = heads.read(in);
    Malformation tooEarly = heads.malformation();
    if (tooEarly != null) {
      malformed(tooEarly);
      return false;
    }
    if (bytes == null) {
      if (!in.isReadable()) {
        // Empty lines are not a head: the connection is as idle as before.
        headSince = 0;
      }
      return false;
    }
    headSince = 0;
    switch (services.requests().parse(bytes)) {
      case RequestHead parsed -> begin(parsed);
      case ParsedRequest.Malformed(Malformation malformation) -> malformed(malformation);
    }
    return true;
  }

  private void begin(RequestHead parsed) {
    entry.begin(parsed, client.peer(), parsed.minorVersion() == 1 ? "HTTP/1.1" : "HTTP/1.0", tlsVersion(), since);
    head = parsed;
    closing |= !parsed.keepAlive();
    bodyPaused = false;
    if (parsed.hasBody()) {
      body = new BodyReader(parsed.framing());
      state = State.HEAD_READ;
    } else {
      state = State.RESPONDING;
    }
    Exchange next = exchanges.create(this, client, memo, parsed);
    exchange = next;
    if (requests.demand() == Demand.FEW) {
      next.begin();
      return;
    }
    loop.fairQueue()
        .begin(
            requests.address(),
            context().channel(),
            () -> {
              // The client may have left meanwhile.
              if (exchange == next) {
                next.begin();
              }
            });
  }

  private boolean readBody(ByteBuf in) {
    BodyReader reader = body;
    Exchange to = exchange;
    while (reader != null && to != null && state == State.BODY && !bodyPaused && in.isReadable() && !reader.isDone()) {
      ByteBuf data = reader.read(in);
      Malformation malformation = reader.malformation();
      if (malformation != null) {
        closing = true;
        state = State.HEAD_READ;
        to.bodyFailed(Refusal.of(malformation));
        return false;
      }
      if (data.isReadable()) {
        to.data(data);
      } else {
        data.release();
      }
    }
    if (state == State.BODY && reader != null && reader.isDone()) {
      state = State.RESPONDING;
      body = null;
      Fields trailers = reader.trailers();
      if (to != null && trailers != null) {
        to.trailers(trailers);
      }
      if (to != null) {
        to.bodyEnd();
      }
      return true;
    }
    return false;
  }

  /** Answers and closes, because nothing that follows can be parsed. */
  private void malformed(Malformation malformation) {
    services.metrics().count(GatewayMetrics.Outcome.MALFORMED);
    refuse(Refusal.of(malformation));
  }

  private void refuse(Refusal refusal) {
    state = State.HEAD_READ;
    closing = true;
    head = null;
    headSince = 0;
    entry.begin(null, client.peer(), "HTTP/1.1", tlsVersion(), since);
    BlockingTasks.call(
        loop.executor(),
        () ->
            services
                .refusals()
                .reply(EdgeRequests.unreadable(client.scheme(), client.peer()), Optional.empty(), refusal, "-", entry),
        this::reply,
        fault -> abort());
  }

  private String tlsVersion() {
    if (tls == null) {
      SslHandler handler = context().pipeline().get(SslHandler.class);
      tls = handler == null ? "" : handler.engine().getSession().getProtocol();
    }
    return tls;
  }

  /** Reads from the socket while the input is wanted or may wait in the buffer. */
  private void regulateReading() {
    boolean wanted =
        switch (state) {
          case LINGERING -> true;
          case HEAD -> isWritable() || mayBuffer();
          case HEAD_READ, RESPONDING -> mayBuffer();
          case BODY -> !bodyPaused;
        };
    if (wanted != reading) {
      reading = wanted;
      since = System.nanoTime();
      context().channel().config().setAutoRead(wanted);
    }
  }

  private boolean mayBuffer() {
    return input == null || input.readableBytes() < MAX_WAITING;
  }

  @Override
  public void receiveBody() {
    if (state != State.HEAD_READ || head == null) {
      return;
    }
    state = State.BODY;
    bodyRate.restart(System.nanoTime());
    boolean waits = head.expectsContinue() && head.minorVersion() == 1 && (input == null || !input.isReadable());
    if (waits) {
      writer().continue100();
    }
    process();
  }

  @Override
  public void pauseBody(boolean stop) {
    if (bodyPaused != stop) {
      bodyPaused = stop;
      bodyRate.restart(System.nanoTime());
      process();
      if (!stop && exchange != null) {
        exchange.readComplete();
      }
    }
  }

  @Override
  public void interim(ResponseHead response) {
    if (head != null && head.minorVersion() == 1) {
      writer().interim(response);
    }
  }

  @Override
  public void head(ResponseHead response, ResponseEdits edits) {
    boolean oldClient = head == null || head.minorVersion() == 0;
    closing |= state != State.RESPONDING;
    entry.status(response.status());
    writer().head(response, edits, oldClient, closing);
  }

  /** For a connection that stays open, a complete page is one encoded head and one shared body. */
  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {
    RequestHead asked = head;
    boolean usual = asked != null && asked.minorVersion() == 1 && !closing && state == State.RESPONDING;
    if (!usual || pacedBody().isFor(response.body().limit(), response.body().isDirect())) {
      ClientStream.super.stored(response, edits);
      return;
    }
    entry.status(response.head().status());
    entry.sent(response.body().limit());
    writer().stored(response, edits);
    finished();
  }

  @Override
  public void data(ByteBuf data) {
    entry.sent(data.readableBytes());
    if (!pacedBody().take(data)) {
      writer().data(data);
    }
  }

  @Override
  public void flush() {
    writer().flush();
  }

  @Override
  public void trailers(Fields trailers) {
    if (head != null && head.takesTrailers()) {
      writer().trailers(trailers);
    }
  }

  @Override
  public void end() {
    if (!pacedBody().isEmpty()) {
      endsWhenSent = true;
      return;
    }
    writer().end();
    finished();
  }

  @Override
  public AccessEntry entry() {
    return entry;
  }

  @Override
  public void reply(EdgeReply reply) {
    if (!context().channel().isActive()) {
      return;
    }
    discardArrivedBody();
    closing |= state != State.RESPONDING || ResponseHeads.endsConnection(reply.status());
    entry.status(reply.status());
    if ((head == null || !head.isHead()) && ResponseHeads.mayHaveBody(reply.status())) {
      entry.sent(reply.body().length);
    }
    writer().reply(reply, head != null && head.isHead(), closing);
    finished();
  }

  /** Skips a small body that was not asked for, if it has already arrived, so that the connection can be reused. */
  private void discardArrivedBody() {
    BodyReader reader = body;
    ByteBuf in = input;
    if (state != State.HEAD_READ || reader == null || in == null || head == null) {
      return;
    }
    while (in.isReadable() && !reader.isDone() && reader.malformation() == null) {
      reader.read(in).release();
    }
    if (reader.isDone()) {
      body = null;
      state = State.RESPONDING;
    }
  }

  private void finished() {
    loop.log(entry);
    exchange = null;
    head = null;
    if (closing) {
      closeLingering();
      return;
    }
    writer().flush();
    state = State.HEAD;
    since = System.nanoTime();
    process();
  }

  /** Closes the connection; if the client may still be sending, its input is discarded for a while. */
  private void closeLingering() {
    if (state == State.RESPONDING && input == null) {
      writer().close();
    } else {
      writer().endOutput();
    }
    state = State.LINGERING;
    since = System.nanoTime();
    readingRate.restart(since);
    body = null;
    process();
  }

  @Override
  public void abort() {
    loop.log(entry);
    exchange = null;
    pacedBody().release();
    writer().flush();
    if (head != null && head.minorVersion() == 0) {
      // For HTTP/1.0 the end of the connection ends the body: only a reset shows that the body is incomplete.
      context().channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
    context().close();
  }

  @Override
  public boolean canTunnel() {
    return state == State.RESPONDING && !closing;
  }

  @Override
  public void switchProtocols(ResponseHead response, ResponseEdits edits, TunnelEnd end) {
    writer().switchProtocols(response, edits);
    entry.status(response.status());
    loop.log(entry);
    loop.forget(this);
    exchange = null;
    head = null;
    state = State.LINGERING;
    end.early(input);
    input = null;
    context().pipeline().replace(this, "tunnel", end);
  }

  @Override
  public boolean isWritable() {
    return context().channel().isWritable() && pacedBody().isEmpty();
  }

  @Override
  public RequestCount requestCount() {
    return requests;
  }

  @Override
  public boolean isCrowded() {
    return loop.isTight();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    long now = System.nanoTime();
    readingRate.restart(now);
    if (!ctx.channel().isWritable()) {
      return;
    }
    if (!pacedBody().isEmpty()) {
      sendPaced();
    } else if (exchange != null) {
      exchange.writable();
    } else if (state == State.HEAD) {
      since = now;
      process();
    }
  }

  private void sendPaced() {
    if (!pacedBody().send()) {
      return;
    }
    if (endsWhenSent) {
      endsWhenSent = false;
      end();
    } else if (exchange != null) {
      exchange.writable();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // A reset or a failed TLS handshake is caused by the client.
    if (!(cause instanceof IOException || cause instanceof DecoderException)) {
      LOG.error("A client's connection failed", cause);
    }
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.forget(this);
    loop.log(entry);
    Exchange running = exchange;
    exchange = null;
    state = State.LINGERING;
    writer().discard();
    pacedBody().release();
    if (input != null && !processing) {
      input.release();
      input = null;
    }
    if (running != null) {
      running.closed();
    }
  }

  @Override
  public void check(long now) {
    NodeLimits limits = services.limits();
    if (isStuck(now)) {
      AbruptEnd.close(context().channel());
      return;
    }
    if (unread > 0 && headSince == 0) {
      // A slow client has time to read what is still to be sent; its idle time only begins afterwards.
      since = now;
    }
    switch (state) {
      case HEAD -> {
        if (headSince != 0 && now - headSince > limits.times().head().toNanos()) {
          refuse(Refusal.requestTimeout());
        } else if (headSince == 0 && now - since > limits.times().idle().toNanos()) {
          context().close();
        }
      }
      case BODY -> {
        if (!bodyPaused && bodyRate.isOver(now) && exchange != null) {
          closing = true;
          state = State.HEAD_READ;
          exchange.bodyFailed(Refusal.requestTimeout());
        }
      }
      case LINGERING -> {
        if (now - since > LINGER_NANOS) {
          context().close();
        }
      }
      case HEAD_READ, RESPONDING -> {}
    }
  }

  /** Whether the client reads its response below the minimum rate, including a body that was written at once. */
  private boolean isStuck(long now) {
    ChannelOutboundBuffer out = context().channel().unsafe().outboundBuffer();
    long left = out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
    long taken = unread - left;
    unread = left;
    // A client may send its whole request before it reads, but not while much waits for it.
    boolean waits = !isWritable() || left > 0 && state != State.BODY;
    if (!waits) {
      readingRate.restart(now);
    } else if (taken > 0) {
      readingRate.arrived((int) Math.min(taken, Integer.MAX_VALUE), now);
    }
    return waits && readingRate.isOver(now);
  }

  @Override
  public long held() {
    int unread = input == null ? 0 : input.capacity();
    return context().channel().isOpen() ? unread + BufferRelief.pending(context().channel()) : 0;
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
  public void drain() {
    closing = true;
    if (state == State.HEAD && headSince == 0) {
      context().close();
    }
  }

  private ChannelHandlerContext context() {
    return java.util.Objects.requireNonNull(context);
  }

  private PacedBody pacedBody() {
    return java.util.Objects.requireNonNull(pacedBody);
  }

  private ResponseWriter writer() {
    return java.util.Objects.requireNonNull(writer);
  }
}
