package dev.gatehouse.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/**
 * Ends a connection at once, whatever waits in it: for peers that do not take what was written. A TLS handler would first send
 * close_notify, behind all that waits, and hold everything for seconds.
 */
final class AbruptEnd {

  private AbruptEnd() {}

  static void close(Channel channel) {
    // From the first handler on a close passes none.
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }
}
