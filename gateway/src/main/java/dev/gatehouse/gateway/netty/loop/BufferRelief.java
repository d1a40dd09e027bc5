package dev.gatehouse.gateway.netty.loop;

import dev.gatehouse.gateway.traffic.BufferBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundBuffer.MessageProcessor;
import io.netty.channel.WriteBufferWaterMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the buffers of one event loop's connections within the budget. While memory is tight, only little may be
 * buffered for each connection. While it is short, the connections that hold most are ended: as many as necessary, at a
 * time at most a quarter of all held bytes, and never those that hold little. Used by that event loop only.
 */
public final class BufferRelief {

  private static final Logger LOG = LoggerFactory.getLogger(BufferRelief.class);

  /** Bytes up to which a connection is never ended. */
  private static final long LITTLE = 4 * 1024;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Holder(WatchedConnection connection, long bytes) {}

  private final BufferBudget budget;
  private final Executor loop;
  private final Set<WatchedConnection> watched;
  private boolean tight;
  private boolean planned;
  private long lastTime = System.nanoTime() - PAUSE_NANOS;
  private long lastLog = System.nanoTime() - LOG_PAUSE_NANOS;
  private int endedUnlogged;

  /**
   * @param loop runs planned relief
   * @param watched the event loop's current connections
   */
  BufferRelief(BufferBudget budget, Executor loop, Set<WatchedConnection> watched) {
    this.budget = budget;
    this.loop = loop;
    this.watched = watched;
  }

  /** Returns whether reads must be small now. Plans relief if memory is short. */
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

  /** Applies the current bound to a new connection. */
  void added(WatchedConnection connection) {
    if (tight) {
      connection.tighten(true);
    }
  }

  /** Checks the budget; called a few times a second. */
  void check() {
    boolean nowTight = tight ? !budget.isEasy() : budget.isTight();
    if (nowTight != tight) {
      tight = nowTight;
      watched.forEach(connection -> connection.tighten(nowTight));
    }
    relieve();
  }

  private void relieve() {
    long excess = budget.excess();
    if (excess > 0 && System.nanoTime() - lastTime >= PAUSE_NANOS) {
      end(excess);
    }
  }

  /**
   * Ends the connections that hold most at once, even if the budget seems to have memory left: an allocation has
   * failed.
   */
  void relieveNow() {
    end(Long.MAX_VALUE);
  }

  /** @param most bytes to free, limited to a quarter of all held bytes */
  private void end(long most) {
    lastTime = System.nanoTime();
    List<Holder> holders = new ArrayList<>();
    long all = 0;
    for (WatchedConnection connection : watched) {
      long bytes = connection.held();
      if (bytes > LITTLE) {
        holders.add(new Holder(connection, bytes));
        all += bytes;
      }
    }
    holders.sort(Comparator.comparingLong(Holder::bytes).reversed());
    long enough = Math.min(most, all / 4 + 1);
    long free = 0;
    for (Holder holder : holders) {
      if (free >= enough) {
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

  /**
   * Bytes that were written to a channel, wait to be sent, and would be freed if it were closed. Cached responses are
   * not counted: they are shared by all connections, unless they have been encrypted.
   */
  public static long pending(Channel channel) {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    if (out == null) {
      return 0;
    }
    SharedBytes shared = new SharedBytes();
    if (isShared(out.current())) {
      shared.bytes += out.currentProgress();
    }
    try {
      out.forEachFlushedMessage(shared);
    } catch (Exception e) {
      throw new IllegalStateException("nothing there throws", e);
    }
    return Math.max(0, out.totalPendingWriteBytes() - shared.bytes);
  }

  /** Only shared buffers are read-only. */
  private static boolean isShared(@Nullable Object message) {
    return message instanceof ByteBuf buffer && buffer.isReadOnly();
  }

  private static final class SharedBytes implements MessageProcessor {

    private long bytes;

    @Override
    public boolean processMessage(Object message) {
      if (isShared(message)) {
        bytes += ((ByteBuf) message).readableBytes();
      }
      return true;
    }
  }

  /**
   * Sets how much may wait before a channel is no longer writable.
   *
   * @param usual bytes while there is enough memory
   */
  public static void mark(Channel channel, boolean tight, int usual) {
    int high = tight ? 2 * BoundedReceive.SMALL : Math.max(usual, 2 * BoundedReceive.SMALL);
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
  }
}
