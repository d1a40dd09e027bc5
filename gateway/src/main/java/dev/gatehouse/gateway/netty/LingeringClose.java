package dev.gatehouse.gateway.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * Ends our side of a connection as soon as everything is written, and leaves the other side open: a connection that is
 * closed while bytes arrive is reset, and a reset throws away what the peer has not read yet (RFC 9112, section 9.6).
 */
final class LingeringClose {

  private LingeringClose() {}

  static void endOutput(Channel channel) {
    channel
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            done -> {
              SslHandler tls = channel.pipeline().get(SslHandler.class);
              if (tls != null) {
                tls.closeOutbound();
              } else if (channel instanceof SocketChannel socket && socket.isActive()) {
                socket.shutdownOutput();
              }
            });
  }
}
