package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.throttle.LogThrottle;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles connections that could not be accepted, for example because file descriptors ran out. The listener pauses for
 * a moment instead of trying again at once, and logs the failures at most once a minute.
 */
@Sharable
final class AcceptFailures extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);

  private static final long REST_MILLIS = 200;

  private final LogThrottle throttle = new LogThrottle();
  private final AtomicInteger lines = new AtomicInteger();

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    throttle
        .count()
        .ifPresent(
            times -> {
              lines.incrementAndGet();
              LOG.error("Connections could not be accepted ({} times since the start): {}", times, cause.toString());
            });
    if (ctx.channel().isOpen() && ctx.channel().config().isAutoRead()) {
      ctx.channel().config().setAutoRead(false);
      ctx.executor()
          .schedule(() -> ctx.channel().config().setAutoRead(true), REST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** The number of failures. */
  long failures() {
    return throttle.times();
  }

  /** The number of log lines written. */
  int lines() {
    return lines.get();
  }
}
