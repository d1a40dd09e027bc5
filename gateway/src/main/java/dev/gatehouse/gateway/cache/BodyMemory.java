package dev.gatehouse.gateway.cache;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allocates the buffers of bodies. They lie outside the heap, where the network reads them without a copy, and are
 * freed when they are no longer referenced: there is no reference count that a slow client and an eviction could
 * disagree about. They are read-only, which distinguishes them among the pending output of a client. While too many
 * evicted buffers are not yet collected, new ones are allocated on the heap.
 */
final class BodyMemory {

  private static final Cleaner CLEANER = Cleaner.create();

  private final long most;
  private final AtomicLong outside = new AtomicLong();

  /** @param most bytes outside the heap, including evicted bodies that are not yet collected */
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
