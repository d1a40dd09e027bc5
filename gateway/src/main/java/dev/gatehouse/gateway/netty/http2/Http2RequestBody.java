package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.exchange.Exchange;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.MinimumRate;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of one HTTP/2 request, and passes it to the exchange. Data that arrives before it is wanted is
 * buffered. The client's flow-control window is credited only when the data is taken, so the client can send at most one
 * window ahead.
 */
final class Http2RequestBody {

  private static final int LEAST = 1024;

  private enum State {
    /** The body has not been asked for. */
    HEAD_READ,
    /** The body is being passed to the exchange. */
    BODY,
    /** The request was read completely, or the rest is not wanted. */
    RECEIVED
  }

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private final MinimumRate rate;
  private final DataLength length;

  private State state;
  private @Nullable Exchange exchange;
  private @Nullable ByteBuf data;
  private @Nullable Fields trailers;
  private int uncredited;
  private boolean paused;
  private boolean touched;
  private boolean lastArrived;

  /**
   * @param head null if it is malformed; its body is then not wanted
   * @param last whether the stream ended with the head
   */
  Http2RequestBody(Http2ClientConnection connection, Http2Stream stream, @Nullable RequestHead head, boolean last) {
    this.connection = connection;
    this.stream = stream;
    this.rate = new MinimumRate(connection.streams().bodyRate());
    this.length = new DataLength(head);
    this.state = head == null || !head.hasBody() ? State.RECEIVED : State.HEAD_READ;
    this.lastArrived = last;
  }

  /**
   * Counts a part of the body.
   *
   * @param last whether it ends the stream
   * @return false if the body then has another length than the head says
   */
  boolean accept(int bytes, boolean last) {
    lastArrived |= last;
    rate.arrived(bytes, System.nanoTime());
    return length.accept(bytes, last);
  }

  /**
   * Takes data that was accepted.
   *
   * @return bytes of the window to credit at once
   */
  int received(ByteBuf part, int padding) {
    int window = part.readableBytes() + padding;
    if (state == State.RECEIVED) {
      return window;
    }
    Exchange to = exchange;
    if (to == null || !isPassedOn()) {
      buffer(part, window);
      return 0;
    }
    if (part.isReadable()) {
      touch();
      to.data(part.retainedSlice());
    }
    if (lastArrived) {
      end();
    }
    return window;
  }

  /** Ends the body, with trailer fields if there are any. */
  void trailers(@Nullable Fields fields) {
    trailers = fields;
    if (isPassedOn()) {
      end();
    }
  }

  private boolean isPassedOn() {
    return state == State.BODY && !paused && data == null;
  }

  /** Copies the data, because even the smallest slice would retain all of a large buffer. */
  private void buffer(ByteBuf part, int window) {
    ByteBuf kept = data;
    if (kept == null) {
      kept = connection.context().alloc().buffer(Math.max(part.readableBytes(), LEAST));
      data = kept;
    }
    int bytes = part.readableBytes();
    kept.writeBytes(part);
    connection.streams().buffered(bytes);
    uncredited += window;
  }

  private void end() {
    Exchange to = exchange;
    if (state == State.BODY) {
      state = State.RECEIVED;
      touch();
      if (to != null && trailers != null) {
        to.trailers(trailers);
      }
      if (to != null) {
        to.bodyEnd();
      }
    }
  }

  /** Passes on the buffered data. */
  private void deliver() {
    if (state != State.BODY || paused) {
      return;
    }
    ByteBuf kept = take();
    Exchange to = exchange;
    if (kept != null && to != null && kept.isReadable()) {
      touch();
      to.data(kept);
    } else if (kept != null) {
      kept.release();
    }
    credit();
    if (lastArrived && !paused) {
      end();
    }
    readComplete();
  }

  private @Nullable ByteBuf take() {
    ByteBuf taken = data;
    data = null;
    if (taken != null) {
      connection.streams().buffered(-taken.readableBytes());
    }
    return taken;
  }

  private void credit() {
    int bytes = uncredited;
    uncredited = 0;
    if (bytes > 0) {
      try {
        if (connection.connection().local().flowController().consumeBytes(stream, bytes)) {
          connection.flushSoon();
        }
      } catch (Http2Exception e) {
        connection.onError(connection.context(), false, e);
      }
    }
  }

  private void touch() {
    if (!touched) {
      touched = true;
      connection.streams().touch(this);
    }
  }

  /** Called when the connection has no more to read at the moment, if data was passed on. */
  void readComplete() {
    touched = false;
    if (exchange != null) {
      exchange.readComplete();
    }
  }

  /** Returns whether the body has not been asked for, and nothing of it has arrived. */
  boolean isOutstanding() {
    return state == State.HEAD_READ && data == null && !lastArrived;
  }

  /** Passes the body to the exchange, from now on. */
  void receive(Exchange to) {
    if (state == State.HEAD_READ) {
      exchange = to;
      state = State.BODY;
      rate.restart(System.nanoTime());
      deliver();
    }
  }

  void pause(boolean stop) {
    if (paused != stop) {
      paused = stop;
      rate.restart(System.nanoTime());
      deliver();
    }
  }

  /** Returns whether the client has ended the stream. */
  boolean hasEnded() {
    return lastArrived;
  }

  /** Returns whether the client sends below the minimum rate. */
  boolean isLate(long now) {
    if (connection.streams().isInflowFull()) {
      // Other streams have used up the connection's window; this stream cannot continue and is not at fault.
      rate.restart(now);
    }
    return rate.isOver(now);
  }

  /** Returns whether the exchange waits for the client to send more. */
  boolean isAwaited() {
    return state == State.BODY && !paused && !lastArrived;
  }

  /** Stops passing on the body. */
  void stop() {
    state = State.RECEIVED;
  }

  /** Discards the rest of the body, because the exchange has ended. */
  void discard() {
    release();
    credit();
  }

  /** Discards the rest of the body, because the stream has closed. */
  void release() {
    exchange = null;
    state = State.RECEIVED;
    ByteBuf unwanted = take();
    if (unwanted != null) {
      unwanted.release();
    }
  }
}
