package dev.gatehouse.gateway.netty.http2;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;

/** The end of a connection by two GOAWAY frames (RFC 9113, section 6.8). */
final class GracefulEnd {

  private GracefulEnd() {}

  /** Sends the first frame, which allows all streams: requests that are on their way are served. */
  static void announce(Http2ConnectionHandler connection, ChannelHandlerContext context) {
    if (context.channel().isActive() && !connection.connection().goAwaySent()) {
      goAway(connection, context, Integer.MAX_VALUE);
      connection.flush(context);
    }
  }

  /** Begins no further stream, and closes the connection when those that run have ended. */
  static void begin(Http2ConnectionHandler connection, ChannelHandlerContext context) {
    if (context.channel().isActive() && connection.connection().goAwaySent()) {
      goAway(connection, context, connection.connection().remote().lastStreamCreated());
    }
    // Otherwise the handler sends the only frame.
    context.channel().close();
  }

  private static void goAway(Http2ConnectionHandler connection, ChannelHandlerContext context, int last) {
    connection.goAway(context, last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, context.newPromise());
  }
}
