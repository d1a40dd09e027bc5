package dev.gatehouse.gateway.netty.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the data of a request's body that arrives before it is wanted. The client's flow-control window is credited
 * only when the data is taken, so the client can send at most one window ahead.
 */
final class Http2BodyBuffer {

  private static final int LEAST = 1024;

  private final Http2ClientConnection connection;
  private final Http2Stream stream;
  private @Nullable ByteBuf data;
  private int uncredited;

  Http2BodyBuffer(Http2ClientConnection connection, Http2Stream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  boolean isEmpty() {
    return data == null;
  }

  /**
   * Copies the data, because even the smallest slice would retain all of a large buffer.
   *
   * @param window bytes of its window that the client has spent on it
   */
  void add(ByteBuf part, int window) {
    ByteBuf kept = data;
    if (kept == null) {
      kept = connection.context().alloc().buffer(Math.max(part.readableBytes(), LEAST));
      data = kept;
    }
    int bytes = part.readableBytes();
    kept.writeBytes(part);
    connection.received(bytes);
    uncredited += window;
  }

  /** Takes all data, which the caller must release; the caller then calls {@link #credit}. */
  @Nullable ByteBuf take() {
    ByteBuf taken = data;
    data = null;
    if (taken != null) {
      connection.received(-taken.readableBytes());
    }
    return taken;
  }

  /** Credits the client's window. */
  void credit() {
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

  /** Discards the data. */
  void release() {
    ByteBuf unwanted = take();
    if (unwanted != null) {
      unwanted.release();
    }
  }
}
