package dev.gatehouse.gateway.netty;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that could not be accepted, for want of descriptors for example: the listener rests for a moment in place of
 * trying again at once, and the log says so now and then.
 */
@Sharable
final class AcceptFailures extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);

  private static final long REST_MILLIS = 200;
  private static final long LOG_PAUSE = Duration.ofMinutes(1).toNanos();

  private final AtomicLong failures = new AtomicLong();
  private int lines;
  private long lastLog = System.nanoTime() - LOG_PAUSE;

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    long so = failures.incrementAndGet();
    log(so, cause);
    if (ctx.channel().isOpen() && ctx.channel().config().isAutoRead()) {
      ctx.channel().config().setAutoRead(false);
      ctx.executor()
          .schedule(() -> ctx.channel().config().setAutoRead(true), REST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void log(long so, Throwable cause) {
    long now = System.nanoTime();
    if (now - lastLog >= LOG_PAUSE) {
      lastLog = now;
      lines++;
      LOG.error("Connections could not be accepted ({} times since the start): {}", so, cause.toString());
    }
  }

  /** How often it failed. */
  long failures() {
    return failures.get();
  }

  /** How often the log said so. */
  synchronized int lines() {
    return lines;
  }
}
