package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.traffic.BufferBudget;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the buffers of one loop's connections within the budget. While memory is tight little may wait for anybody; where it
 * is short the connections that hold most are ended, a quarter of what all hold at a time, and those that hold little
 * never. Touched by that loop only.
 */
final class BufferRelief {

  private static final Logger LOG = LoggerFactory.getLogger(BufferRelief.class);

  /** What a connection may hold and is never ended for. */
  private static final long LITTLE = 4 * 1024;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Holder(Watched connection, long bytes) {}

  private final BufferBudget budget;
  private final Executor loop;
  private final Set<Watched> watched;
  private boolean tight;
  private boolean planned;
  private long lastTime = System.nanoTime() - PAUSE_NANOS;
  private long lastLog = System.nanoTime() - LOG_PAUSE_NANOS;
  private int endedUnlogged;

  /**
   * @param loop runs what is planned
   * @param watched the loop's connections at any time
   */
  BufferRelief(BufferBudget budget, Executor loop, Set<Watched> watched) {
    this.budget = budget;
    this.loop = loop;
    this.watched = watched;
  }

  /** Whether little is to be read now. Plans relief where memory is short. */
  boolean isTight() {
    if (!budget.isTight()) {
      return false;
    }
    if (!planned && budget.isShort()) {
      planned = true;
      loop.execute(
          () -> {
            planned = false;
            relieve();
          });
    }
    return true;
  }

  /** A new connection is bounded as all others are at the moment. */
  void added(Watched connection) {
    if (tight) {
      connection.tighten(true);
    }
  }

  /** Called a few times a second. */
  void look() {
    boolean now = tight ? !budget.isEasy() : budget.isTight();
    if (now != tight) {
      tight = now;
      watched.forEach(connection -> connection.tighten(now));
    }
    relieve();
  }

  private void relieve() {
    if (budget.isShort() && System.nanoTime() - lastTime >= PAUSE_NANOS) {
      now();
    }
  }

  /** Ends the connections that hold most, at once. */
  void now() {
    lastTime = System.nanoTime();
    List<Holder> holders = new ArrayList<>();
    long all = 0;
    for (Watched connection : watched) {
      long bytes = connection.held();
      if (bytes > LITTLE) {
        holders.add(new Holder(connection, bytes));
        all += bytes;
      }
    }
    holders.sort(Comparator.comparingLong(Holder::bytes).reversed());
    long free = 0;
    for (Holder holder : holders) {
      if (free >= all / 4 + 1) {
        break;
      }
      free += holder.bytes();
      endedUnlogged++;
      holder.connection().evict();
    }
    log();
  }

  private void log() {
    long now = System.nanoTime();
    if (endedUnlogged > 0 && now - lastLog >= LOG_PAUSE_NANOS) {
      lastLog = now;
      LOG.warn(
          "{} connections that held most of the buffers' memory were ended: {} of {} MB are used",
          endedUnlogged, budget.used() >> 20, budget.most() >> 20);
      endedUnlogged = 0;
    }
  }

  /** Bytes that were written to a channel and wait for its other side. */
  static long pending(Channel channel) {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    return out == null ? 0 : out.totalPendingWriteBytes();
  }

  /** How much may wait before a channel is no longer writable. @param usual bytes while there is enough memory */
  static void mark(Channel channel, boolean tight, int usual) {
    int high = tight ? 2 * BoundedReceive.SMALL : Math.max(usual, 2 * BoundedReceive.SMALL);
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
  }
}
