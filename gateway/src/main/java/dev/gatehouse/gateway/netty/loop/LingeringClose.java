package dev.gatehouse.gateway.netty.loop;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * Closes the sending side of a connection after all output was written, and leaves the receiving side open. Closing
 * both while bytes arrive would reset the connection, and a reset discards data that the peer has not read yet (RFC
 * 9112, section 9.6).
 */
public final class LingeringClose {

  private LingeringClose() {}

  public static void endOutput(Channel channel) {
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
