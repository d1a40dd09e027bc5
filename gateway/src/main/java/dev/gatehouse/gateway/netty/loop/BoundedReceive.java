package dev.gatehouse.gateway.netty.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Chooses the size of socket reads: the size that was useful before, at most the size that is wanted now, and a small
 * one while memory is tight. If a read finds no memory, the event loop ends the connections that hold most; only a
 * second failure in the same read affects the reader itself.
 */
public final class BoundedReceive extends AdaptiveRecvByteBufAllocator {

  /** Bytes of a read if little is wanted. */
  public static final int SMALL = 4 * 1024;

  /** Bytes of a read without restrictions. */
  public static final int USUAL = 64 * 1024;

  /** Reads of a channel before the loop serves the next one: with thousands of ready channels, more would delay each for seconds. */
  private static final int MAX_READS = 2;

  private final BufferRelief relief;
  private final IntSupplier wanted;

  /** @param wanted supplies the bytes that are welcome at the moment, at least {@link #SMALL} */
  BoundedReceive(BufferRelief relief, IntSupplier wanted) {
    this.relief = relief;
    this.wanted = wanted;
    maxMessagesPerRead(MAX_READS);
  }

  @Override
  @SuppressWarnings("deprecation") // the type in the parent's signature
  public Handle newHandle() {
    return new Bounded((ExtendedHandle) super.newHandle());
  }

  private final class Bounded implements ExtendedHandle {

    private final ExtendedHandle adaptive;

    Bounded(ExtendedHandle adaptive) {
      this.adaptive = adaptive;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      try {
        return allocator.ioBuffer(guess());
      } catch (OutOfMemoryError e) {
        relief.relieveNow();
        return allocator.ioBuffer(SMALL);
      }
    }

    @Override
    public int guess() {
      int usual = adaptive.guess();
      // Checked at each read, because the check plans relief; a small read needs no bound.
      boolean tight = relief.isTight();
      if (usual <= SMALL) {
        return usual;
      }
      return tight ? SMALL : Math.min(usual, wanted.getAsInt());
    }

    @Override
    public void reset(ChannelConfig config) {
      adaptive.reset(config);
    }

    @Override
    public void incMessagesRead(int count) {
      adaptive.incMessagesRead(count);
    }

    @Override
    public void lastBytesRead(int bytes) {
      adaptive.lastBytesRead(bytes);
    }

    @Override
    public int lastBytesRead() {
      return adaptive.lastBytesRead();
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      adaptive.attemptedBytesRead(bytes);
    }

    @Override
    public int attemptedBytesRead() {
      return adaptive.attemptedBytesRead();
    }

    @Override
    public boolean continueReading() {
      return adaptive.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier mayHaveMore) {
      return adaptive.continueReading(mayHaveMore);
    }

    @Override
    public void readComplete() {
      adaptive.readComplete();
    }
  }
}
