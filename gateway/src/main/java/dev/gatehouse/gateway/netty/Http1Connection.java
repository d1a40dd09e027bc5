package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.route.ClientConnection;
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
 * One client's connection that speaks HTTP/1.1. Serves one request after the other: what a client sends ahead waits
 * in the buffer, bounded, until the response before it is complete, so that answers are always in order.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements ClientStream, WatchedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);

  /** Bytes that may wait while nobody reads them. */
  private static final int MOST_WAITING = 64 * 1024;

  private static final long LINGER_NANOS = Duration.ofSeconds(2).toNanos();

  private enum State {
    /** Between requests, or in the middle of a head. */
    HEAD,
    /** The head was read; nobody has asked for the body. */
    HELD,
    /** The body is being handed over. */
    BODY,
    /** The request was read to its end. */
    RESPONDING,
    /** The last response was sent; what the client still sends is thrown away until it notices. */
    LINGERING
  }

  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection arrival;
  private final DecisionMemo memo = new DecisionMemo();
  private final AccessEntry entry = new AccessEntry();
  private final RequestCount requests = new RequestCount();
  private final HeadReader heads;
  private final MinimumRate pace;

  /** How the client takes what waits for it. */
  private final MinimumRate taking;

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
  private long untaken;
  private @Nullable PacedBody paced;
  private boolean endsWhenSent;

  Http1Connection(ExchangeServices services, GatewayEventLoop loop, ClientConnection arrival) {
    this.services = services;
    this.loop = loop;
    this.arrival = arrival;
    this.heads = HeadReader.ofRequests(services.limits().heads());
    int minRate = services.limits().flow().minRate();
    this.pace = new MinimumRate(services.limits().body(), minRate);
    this.taking = new MinimumRate(services.limits().write(), minRate);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    ResponseWriter responses = new ResponseWriter(ctx, loop);
    writer = responses;
    paced = new PacedBody(ctx.channel(), responses, ctx.pipeline().get(SslHandler.class) != null);
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
    pace.arrived(in.readableBytes(), since);
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    process();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (exchange != null) {
      exchange.readComplete();
    }
  }

  /** Goes on as far as the input and the state allow; a call from within only marks the way. */
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
      // Who asks and asks and never reads the answers would have us keep them all.
      case HEAD -> in.isReadable() && isWritable() && readHead(in);
      case BODY -> readBody(in);
      case HELD, RESPONDING -> false;
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
        // Empty lines are no head: the connection is as idle as before.
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
    entry.begin(parsed, arrival.peer(), parsed.minorVersion() == 1 ? "HTTP/1.1" : "HTTP/1.0", tlsVersion(), since);
    head = parsed;
    closing |= !parsed.keepAlive();
    bodyPaused = false;
    if (parsed.hasBody()) {
      body = new BodyReader(parsed.framing());
      state = State.HELD;
    } else {
      state = State.RESPONDING;
    }
    Exchange next = new Exchange(services, loop, this, arrival, memo, parsed);
    exchange = next;
    next.begin();
  }

  private boolean readBody(ByteBuf in) {
    BodyReader reader = body;
    Exchange to = exchange;
    while (reader != null && to != null && state == State.BODY && !bodyPaused && in.isReadable() && !reader.isDone()) {
      ByteBuf data = reader.read(in);
      Malformation malformation = reader.malformation();
      if (malformation != null) {
        closing = true;
        state = State.HELD;
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

  /** Nothing after this can be understood: answer, and close. */
  private void malformed(Malformation malformation) {
    services.meters().count(GatewayMetrics.Outcome.MALFORMED);
    refuse(Refusal.of(malformation));
  }

  private void refuse(Refusal refusal) {
    state = State.HELD;
    closing = true;
    head = null;
    headSince = 0;
    entry.begin(null, arrival.peer(), "HTTP/1.1", tlsVersion(), since);
    BlockingTasks.call(
        loop.executor(),
        () ->
            services
                .refusals()
                .reply(EdgeRequests.unreadable(arrival.scheme(), arrival.peer()), Optional.empty(), refusal, "-", entry),
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

  /** Reads while somebody wants what comes, or there is room for it to wait. */
  private void regulateReading() {
    boolean wanted =
        switch (state) {
          case LINGERING -> true;
          case HEAD -> isWritable() || hasRoom();
          case HELD, RESPONDING -> hasRoom();
          case BODY -> !bodyPaused;
        };
    if (wanted != reading) {
      reading = wanted;
      since = System.nanoTime();
      context().channel().config().setAutoRead(wanted);
    }
  }

  private boolean hasRoom() {
    return input == null || input.readableBytes() < MOST_WAITING;
  }

  @Override
  public void receiveBody() {
    if (state != State.HELD || head == null) {
      return;
    }
    state = State.BODY;
    pace.restart(System.nanoTime());
    boolean waits = head.expectsContinue() && head.minorVersion() == 1 && (input == null || !input.isReadable());
    if (waits) {
      writer().sayContinue();
    }
    process();
  }

  @Override
  public void pauseBody(boolean stop) {
    if (bodyPaused != stop) {
      bodyPaused = stop;
      pace.restart(System.nanoTime());
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

  /** A whole page to a client that goes on is one encoded head and one shared body. */
  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {
    RequestHead asked = head;
    boolean usual = asked != null && asked.minorVersion() == 1 && !closing && state == State.RESPONDING;
    if (!usual || paced().isFor(response.body().limit(), response.body().isDirect())) {
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
    if (!paced().take(data)) {
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
    if (!paced().isEmpty()) {
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
    discardWhatArrived();
    closing |= state != State.RESPONDING || ResponseHeads.endsConnection(reply.status());
    entry.status(reply.status());
    if ((head == null || !head.isHead()) && ResponseHeads.mayHaveBody(reply.status())) {
      entry.sent(reply.body().length);
    }
    writer().reply(reply, head != null && head.isHead(), closing);
    finished();
  }

  /** A small body that nobody wanted is read over where it is already here, so that the connection can go on. */
  private void discardWhatArrived() {
    BodyReader reader = body;
    ByteBuf in = input;
    if (state != State.HELD || reader == null || in == null || head == null) {
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
      closeGently();
      return;
    }
    writer().flush();
    state = State.HEAD;
    since = System.nanoTime();
    process();
  }

  /** Where the client may still be sending, what it sends is read over for a while. */
  private void closeGently() {
    if (state == State.RESPONDING && input == null) {
      writer().close();
    } else {
      writer().endOutput();
    }
    state = State.LINGERING;
    since = System.nanoTime();
    taking.restart(since);
    body = null;
    process();
  }

  @Override
  public void abort() {
    loop.log(entry);
    exchange = null;
    paced().release();
    writer().flush();
    if (head != null && head.minorVersion() == 0) {
      // The connection's end would be the body's end: only a reset says that something is missing.
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
    return context().channel().isWritable() && paced().isEmpty();
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
    taking.restart(now);
    if (!ctx.channel().isWritable()) {
      return;
    }
    if (!paced().isEmpty()) {
      sendPaced();
    } else if (exchange != null) {
      exchange.writable();
    } else if (state == State.HEAD) {
      since = now;
      process();
    }
  }

  private void sendPaced() {
    if (!paced().send()) {
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
    // A reset, or a TLS handshake that failed, is the client's affair.
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
    paced().release();
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
    GatewayLimits limits = services.limits();
    if (isStuck(now)) {
      AbruptEnd.close(context().channel());
      return;
    }
    if (untaken > 0 && headSince == 0) {
      // A slow line has time for what is still to be sent; only then the client's silence counts.
      since = now;
    }
    switch (state) {
      case HEAD -> {
        if (headSince != 0 && now - headSince > limits.head().toNanos()) {
          refuse(Refusal.requestTimeout());
        } else if (headSince == 0 && now - since > limits.idle().toNanos()) {
          context().close();
        }
      }
      case BODY -> {
        if (!bodyPaused && pace.isOver(now) && exchange != null) {
          closing = true;
          state = State.HELD;
          exchange.bodyFailed(Refusal.requestTimeout());
        }
      }
      case LINGERING -> {
        if (now - since > LINGER_NANOS) {
          context().close();
        }
      }
      case HELD, RESPONDING -> {}
    }
  }

  /** Whether the client takes what waits for it slower than anybody may, a body that was written at once included. */
  private boolean isStuck(long now) {
    ChannelOutboundBuffer out = context().channel().unsafe().outboundBuffer();
    long left = out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
    long taken = untaken - left;
    untaken = left;
    // A client may send all of its request before it reads; while much waits it may not.
    boolean waits = !isWritable() || left > 0 && state != State.BODY;
    if (!waits) {
      taking.restart(now);
    } else if (taken > 0) {
      taking.arrived((int) Math.min(taken, Integer.MAX_VALUE), now);
    }
    return waits && taking.isOver(now);
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

  private PacedBody paced() {
    return java.util.Objects.requireNonNull(paced);
  }

  private ResponseWriter writer() {
    return java.util.Objects.requireNonNull(writer);
  }
}
