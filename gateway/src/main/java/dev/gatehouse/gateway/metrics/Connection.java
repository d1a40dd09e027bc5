package dev.gatehouse.gateway.metrics;

import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.codec.HeadReader;
import dev.gatehouse.gateway.netty.loop.LingeringClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client of the listener: one request after the other, and each response in portions as the client reads it. All methods run on the
 * event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {

  private static final long HEAD = Duration.ofSeconds(5).toNanos();
  private static final long IDLE = Duration.ofMinutes(2).toNanos();
  private static final long COMPUTED = Duration.ofSeconds(30).toNanos();
  private static final long STALLED = Duration.ofSeconds(10).toNanos();
  private static final long LINGER = Duration.ofSeconds(1).toNanos();

  /** Bytes that wait in the channel at a time, outside of the heap. */
  private static final int PORTION = 32 * 1024;

  private enum State {
    /** Nothing of a request has arrived. */
    IDLE,
    /** A part of a head has arrived. */
    HEAD,
    /** The answer is being made. */
    COMPUTED,
    /** The response is being sent. */
    SENDING,
    /** The response was sent, and the client shall close. */
    ENDED
  }

  private final MetricsListener listener;
  private final Channel channel;
  private final HeadReader heads = HeadReader.ofRequests(MetricsListener.LIMITS);

  private @Nullable ByteBuf input;
  private State state = State.IDLE;
  private boolean close;
  private String requestId = "";
  private byte[] response = {};
  private int sent;

  /** When the state began or, while sending, when the client took bytes last. */
  private long since = System.nanoTime();

  Connection(MetricsListener listener, Channel channel) {
    this.listener = listener;
    this.channel = channel;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (state == State.ENDED) {
      in.release();
      return;
    }
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), input, in);
    readHead();
  }

  private void readHead() {
    ByteBuf in = input;
    if (in == null || (state != State.IDLE && state != State.HEAD)) {
      return;
    }
    if (state == State.IDLE && in.isReadable()) {
      enter(State.HEAD);
    }
    byte[] head = heads.read(in);
    if (!in.isReadable()) {
      in.release();
      input = null;
    }
    if (head != null) {
      begin(listener.parse(head));
    } else if (heads.malformation() != null) {
      refuse();
    }
  }

  private void begin(ParsedRequest parsed) {
    switch (parsed) {
      case ParsedRequest.Malformed malformed -> refuse();
      case RequestHead request -> {
        requestId = listener.newRequestId();
        // A body is not read, so that what follows it cannot be found.
        close = !request.keepAlive() || request.hasBody();
        enter(State.COMPUTED);
        // Further requests wait in the kernel's buffer.
        channel.config().setAutoRead(false);
        listener.answer(request, requestId, answer -> channel.eventLoop().execute(() -> send(answer, request.isHead())));
      }
    }
  }

  private void refuse() {
    close = true;
    requestId = listener.newRequestId();
    send(Answer.MALFORMED, false);
  }

  private void send(Answer answer, boolean withoutBody) {
    if (!channel.isActive()) {
      return;
    }
    enter(State.SENDING);
    response = withoutBody ? new byte[0] : answer.body();
    sent = 0;
    channel.write(Unpooled.wrappedBuffer(answer.head(listener.second(), requestId, close)));
    sendMore();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (state == State.SENDING && channel.isWritable()) {
      since = System.nanoTime();
      sendMore();
    }
  }

  private void sendMore() {
    while (channel.isWritable() && sent < response.length) {
      int part = Math.min(PORTION, response.length - sent);
      ByteBuf portion = Unpooled.wrappedBuffer(response, sent, part);
      sent += part;
      channel.write(portion);
    }
    if (sent < response.length) {
      channel.flush();
      return;
    }
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                sent();
              } else {
                channel.close();
              }
            });
  }

  private void sent() {
    response = new byte[0];
    channel.config().setAutoRead(true);
    if (close) {
      enter(State.ENDED);
      LingeringClose.endOutput(channel);
    } else {
      enter(State.IDLE);
      readHead();
    }
  }

  private void enter(State next) {
    state = next;
    since = System.nanoTime();
  }

  /** Returns whether this connection may be closed in favour of another one: its client is the one that is awaited. */
  boolean isAwaited() {
    return state != State.COMPUTED;
  }

  /** When the client did something last. */
  long since() {
    return since;
  }

  /** Closes the connection if its client is late. */
  void check(long now) {
    long allowed =
        switch (state) {
          case IDLE -> IDLE;
          case HEAD -> HEAD;
          case COMPUTED -> COMPUTED;
          case SENDING -> STALLED;
          case ENDED -> LINGER;
        };
    if (now - since > allowed) {
      channel.close();
    }
  }

  void end() {
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (input != null) {
      input.release();
      input = null;
    }
    listener.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
