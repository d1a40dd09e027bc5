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
 * Handles connections that could not be accepted, for example because file descriptors ran out. The listener pauses for
 * a moment instead of trying again at once, and logs the failures at most once a minute.
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
    long count = failures.incrementAndGet();
    log(count, cause);
    if (ctx.channel().isOpen() && ctx.channel().config().isAutoRead()) {
      ctx.channel().config().setAutoRead(false);
      ctx.executor()
          .schedule(() -> ctx.channel().config().setAutoRead(true), REST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void log(long count, Throwable cause) {
    long now = System.nanoTime();
    if (now - lastLog >= LOG_PAUSE) {
      lastLog = now;
      lines++;
      LOG.error("Connections could not be accepted ({} times since the start): {}", count, cause.toString());
    }
  }

  /** The number of failures. */
  long failures() {
    return failures.get();
  }

  /** The number of log lines written. */
  synchronized int lines() {
    return lines;
  }
}
