package dev.gatehouse.gateway.netty.http1;

import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.codec.BodyReader;
import dev.gatehouse.gateway.netty.codec.HeadReader;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of one HTTP/1.1 client, one after the other, each within its deadlines. Input beyond the current request
 * waits in a bounded buffer until the previous response is complete.
 */
final class RequestReader {

  /** Bytes that may wait unread. */
  private static final int MAX_WAITING = 64 * 1024;

  /** Takes the heads of the requests. */
  interface Listener {

    /** @param arrived when its last bytes arrived, as of {@link System#nanoTime()} */
    void begin(RequestHead head, long arrived);

    /** Called if the input is not a request, or its head is late: nothing that follows can be parsed. */
    void unreadable(Refusal refusal, long arrived);
  }

  private enum State {
    /** Between requests, or within a head. */
    HEAD,
    /** The head was read, and the body has not been asked for. */
    HEAD_READ,
    /** The body is being passed to the exchange. */
    BODY,
    /** The request was read completely. */
    RESPONDING,
    /** The rest of the request cannot be read. */
    FAILED,
    /** The connection carries no further request; input is discarded. */
    CLOSED
  }

  private final ChannelHandlerContext context;
  private final ResponseWriter responses;
  private final ExchangeServices services;
  private final Listener listener;
  private final HeadReader heads;
  private final MinimumRate bodyRate;

  private @Nullable ByteBuf input;
  private @Nullable BodyReader body;
  private @Nullable Exchange exchange;
  private State state = State.HEAD;
  private boolean expectsContinue;
  private boolean processing;
  private boolean bodyPaused;
  private boolean reading = true;
  private long since = System.nanoTime();
  private long headSince;

  RequestReader(ChannelHandlerContext context, ResponseWriter responses, ExchangeServices services, Listener listener) {
    this.context = context;
    this.responses = responses;
    this.services = services;
    this.listener = listener;
    this.heads = HeadReader.ofRequests(services.requests().limits());
    this.bodyRate = new MinimumRate(services.limits().times().body(), services.limits().flow().minRate());
  }

  /** Takes and releases bytes of the client. */
  void read(ByteBuf in) {
    since = System.nanoTime();
    bodyRate.arrived(in.readableBytes(), since);
    input = input == null ? in : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), input, in);
    process();
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
      case HEAD -> in.isReadable() && responses.isWritable() && readHead(in);
      case BODY -> readBody(in);
      case HEAD_READ, RESPONDING, FAILED -> false;
      case CLOSED -> in.skipBytes(in.readableBytes()).isReadable();
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
    bodyPaused = false;
    expectsContinue = parsed.expectsContinue() && parsed.minorVersion() == 1;
    if (parsed.hasBody()) {
      body = new BodyReader(parsed.framing());
      state = State.HEAD_READ;
    } else {
      state = State.RESPONDING;
    }
    listener.begin(parsed, since);
  }

  private void malformed(Malformation malformation) {
    services.metrics().count(GatewayMetrics.Outcome.MALFORMED);
    unreadable(Refusal.of(malformation));
  }

  private void unreadable(Refusal refusal) {
    state = State.FAILED;
    headSince = 0;
    listener.unreadable(refusal, since);
  }

  private boolean readBody(ByteBuf in) {
    BodyReader reader = body;
    Exchange to = exchange;
    if (reader == null || to == null) {
      return false;
    }
    while (state == State.BODY && !bodyPaused && in.isReadable() && !reader.isDone()) {
      ByteBuf data = reader.read(in);
      Malformation malformation = reader.malformation();
      if (malformation != null) {
        state = State.FAILED;
        to.bodyFailed(Refusal.of(malformation));
        return false;
      }
      if (data.isReadable()) {
        to.data(data);
      } else {
        data.release();
      }
    }
    if (state != State.BODY || !reader.isDone()) {
      return false;
    }
    state = State.RESPONDING;
    body = null;
    Fields trailers = reader.trailers();
    if (trailers != null) {
      to.trailers(trailers);
    }
    to.bodyEnd();
    return true;
  }

  /** Reads from the socket while the input is wanted or may wait in the buffer. */
  private void regulateReading() {
    boolean wanted =
        switch (state) {
          case CLOSED -> reading;
          case HEAD -> responses.isWritable() || mayBuffer();
          case HEAD_READ, RESPONDING, FAILED -> mayBuffer();
          case BODY -> !bodyPaused;
        };
    if (wanted != reading) {
      reading = wanted;
      since = System.nanoTime();
      context.channel().config().setAutoRead(wanted);
    }
  }

  private boolean mayBuffer() {
    return input == null || input.readableBytes() < MAX_WAITING;
  }

  /** Passes the body to the exchange; sends 100 (Continue) if the client waits for it. */
  void receiveBody(Exchange to) {
    if (state != State.HEAD_READ) {
      return;
    }
    exchange = to;
    state = State.BODY;
    bodyRate.restart(System.nanoTime());
    if (expectsContinue && (input == null || !input.isReadable())) {
      responses.continue100();
    }
    process();
  }

  void pauseBody(boolean stop) {
    if (bodyPaused != stop) {
      bodyPaused = stop;
      bodyRate.restart(System.nanoTime());
      process();
      if (!stop && exchange != null) {
        exchange.readComplete();
      }
    }
  }

  /** Skips a small body that was not asked for, if it has already arrived, so that the connection can be reused. */
  void skipArrivedBody() {
    BodyReader reader = body;
    ByteBuf in = input;
    if (state != State.HEAD_READ || reader == null || in == null) {
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

  /** Reads the next request, because the response to the last one is complete. */
  void next() {
    exchange = null;
    state = State.HEAD;
    resume(System.nanoTime());
  }

  /** Continues if a request waits for the client to read the previous responses. */
  void resume(long now) {
    if (state == State.HEAD) {
      since = now;
      process();
    }
  }

  /** Takes the bytes that were read after the request; nothing more is read here. */
  @Nullable ByteBuf detach() {
    ByteBuf early = input;
    state = State.CLOSED;
    input = null;
    return early;
  }

  /** Discards the input, and all later input. */
  void close() {
    exchange = null;
    state = State.CLOSED;
    if (input != null && !processing) {
      input.release();
      input = null;
    }
  }

  /** Returns whether the request was read completely. */
  boolean isComplete() {
    return state == State.RESPONDING;
  }

  /** Returns whether the client has sent nothing after a request that was read completely. */
  boolean isExhausted() {
    return state == State.RESPONDING && input == null;
  }

  /** Returns whether the client is sending a body. */
  boolean isInBody() {
    return state == State.BODY;
  }

  /** Returns whether no request has begun. */
  boolean isIdle() {
    return state == State.HEAD && headSince == 0;
  }

  /** Bytes of the buffer for input. */
  int held() {
    return input == null ? 0 : input.capacity();
  }

  /**
   * Checks the deadlines.
   *
   * @param responseWaits whether the client has not read the previous response yet
   */
  void check(long now, boolean responseWaits) {
    if (responseWaits && headSince == 0) {
      // A slow client has time to read what is still to be sent; its idle time only begins afterwards.
      since = now;
    }
    switch (state) {
      case HEAD -> {
        if (headSince != 0 && now - headSince > services.limits().times().head().toNanos()) {
          unreadable(Refusal.requestTimeout());
        } else if (headSince == 0 && now - since > services.limits().times().idle().toNanos()) {
          context.close();
        }
      }
      case BODY -> {
        if (!bodyPaused && bodyRate.isOver(now) && exchange != null) {
          state = State.FAILED;
          exchange.bodyFailed(Refusal.requestTimeout());
        }
      }
      case HEAD_READ, RESPONDING, FAILED, CLOSED -> {}
    }
  }
}
