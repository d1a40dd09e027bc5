package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.throttle.LogThrottle;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles connections that could not be accepted, for example because file descriptors ran out. The listener pauses for
 * a moment instead of trying again at once, and logs the failures at most once a minute.
 *
 * <p>Connections are counted here as they are accepted. Connections that event loops have not seen yet, or not closed yet,
 * have descriptors as well: hundreds in a burst. At the bound the listeners accept nothing until one is closed.
 */
@Sharable
final class AcceptFailures extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);

  private static final long REST_MILLIS = 200;

  private final LogThrottle throttle = new LogThrottle();
  private final AtomicInteger lines = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final Set<Channel> paused = ConcurrentHashMap.newKeySet();
  private final int most;

  /** @param most accepted connections of all listeners at the same time */
  AcceptFailures(int most) {
    this.most = most;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    if (open.incrementAndGet() >= most) {
      ctx.channel().config().setAutoRead(false);
      paused.add(ctx.channel());
      // One may have been closed in between.
      resume();
    }
    ((Channel) accepted).closeFuture().addListener(closed -> {
      open.decrementAndGet();
      resume();
    });
    ctx.fireChannelRead(accepted);
  }

  private void resume() {
    if (open.get() < most && !paused.isEmpty()) {
      for (Channel listener : paused) {
        if (paused.remove(listener)) {
          listener.config().setAutoRead(true);
        }
      }
    }
  }

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
          .schedule(() -> rested(ctx.channel()), REST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void rested(Channel listener) {
    paused.add(listener);
    resume();
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
