package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A kept response as it is sent during one second: its Age is part of the head. What is made of the head for a version of
 * HTTP is kept with it, so that a page that many ask for is encoded once a second.
 */
public final class AgedResponse {

  /** What was made of the head with these edits. */
  private record Made<T>(ResponseEdits edits, T head) {
    static <T> @Nullable T of(@Nullable Made<T> known, ResponseEdits edits) {
      return known != null && (known.edits == edits || known.edits.equals(edits)) ? known.head : null;
    }
  }

  private final long second;
  private final ResponseHead head;
  private final ByteBuffer body;
  private volatile @Nullable Made<byte[]> encoded;
  private volatile @Nullable Made<Object> fields;

  AgedResponse(long second, ResponseHead head, ByteBuffer body) {
    this.second = second;
    this.head = head;
    this.body = body;
  }

  long second() {
    return second;
  }

  /** Complete but for the edits. */
  public ResponseHead head() {
    return head;
  }

  /** Shared by everybody: only ever read through slices and duplicates. */
  public ByteBuffer body() {
    return body;
  }

  /** The head as it was encoded for HTTP/1.1 with the same edits; null where nobody did yet. */
  public byte @Nullable [] encoded(ResponseEdits edits) {
    return Made.of(encoded, edits);
  }

  public void encoded(ResponseEdits edits, byte[] bytes) {
    encoded = new Made<>(edits, bytes);
  }

  /** The head as it was made for HTTP/2 with the same edits; null where nobody did yet. */
  public @Nullable Object fields(ResponseEdits edits) {
    return Made.of(fields, edits);
  }

  /** @param unchangeable by whoever sends it */
  public void fields(ResponseEdits edits, Object unchangeable) {
    fields = new Made<>(edits, unchangeable);
  }
}
