package dev.gatehouse.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived of a request's body before it is wanted. The client gets no credit for it until it is taken: it can
 * send as much as its window says and no more.
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
   * Copies, because the smallest slice would keep all of a large buffer.
   *
   * @param window how many bytes of its window the client has spent on it
   */
  void keep(ByteBuf part, int window) {
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

  /** All of it, to be released by the caller; {@link #credit} is due afterwards. */
  @Nullable ByteBuf take() {
    ByteBuf taken = data;
    data = null;
    if (taken != null) {
      connection.received(-taken.readableBytes());
    }
    return taken;
  }

  /** Gives the window back. */
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

  /** Throws it away. */
  void release() {
    ByteBuf unwanted = take();
    if (unwanted != null) {
      unwanted.release();
    }
  }
}
