package dev.gatehouse.gateway.cache;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the buffers of bodies. They lie outside the heap, where the network reads them without a copy, and go when nobody
 * refers to them any more: no count that a slow client and an eviction could disagree about. They are read-only, by which
 * they are known among what waits for a client. As long as the collector is behind with those that were evicted, new ones lie
 * on the heap.
 */
final class BodyMemory {

  private static final Cleaner CLEANER = Cleaner.create();

  private final long most;
  private final AtomicLong outside = new AtomicLong();

  /** @param most bytes outside the heap, evicted but not yet collected ones included */
  BodyMemory(long most) {
    this.most = most;
  }

  ByteBuffer of(byte[] content) {
    return of(content, content.length);
  }

  ByteBuffer of(byte[] content, int length) {
    if (outside.addAndGet(length) > most) {
      outside.addAndGet(-length);
      return ByteBuffer.wrap(java.util.Arrays.copyOf(content, length));
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(length);
    buffer.put(content, 0, length).flip();
    AtomicLong counted = outside;
    CLEANER.register(buffer, () -> counted.addAndGet(-length));
    return buffer.asReadOnlyBuffer();
  }
}
