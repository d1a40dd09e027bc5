package dev.gatehouse.gateway.netty.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/**
 * Closes a connection at once and drops all pending output, for peers that do not read their responses. An ordinary
 * close would let the TLS handler queue close_notify behind the pending output, which would hold all of it for seconds.
 */
public final class AbruptEnd {

  private AbruptEnd() {}

  public static void close(Channel channel) {
    // A close that starts at the first handler passes no other handler on its way out.
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }
}
