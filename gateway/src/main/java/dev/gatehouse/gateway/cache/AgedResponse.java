package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stored response as it is sent during one second: its head contains the Age of that second. The head's encoding for
 * each HTTP version is stored with it, so that a popular page is encoded once a second.
 */
public final class AgedResponse {

  /** The encoding of the head with these edits. */
  private record Encoded<T>(ResponseEdits edits, T head) {
    static <T> @Nullable T of(@Nullable Encoded<T> known, ResponseEdits edits) {
      return known != null && (known.edits == edits || known.edits.equals(edits)) ? known.head : null;
    }
  }

  private final long second;
  private final ResponseHead head;
  private final CachedBody body;
  private volatile @Nullable Encoded<byte[]> encoded;
  private volatile @Nullable Encoded<Object> fields;

  AgedResponse(long second, ResponseHead head, CachedBody body) {
    this.second = second;
    this.head = head;
    this.body = body;
  }

  long second() {
    return second;
  }

  /** The head without the edits. */
  public ResponseHead head() {
    return head;
  }

  /** The body, shared by all connections: it may only be read through slices and duplicates. */
  public ByteBuffer body() {
    return body.bytes();
  }

  /** The body as clients share it. */
  public CachedBody shared() {
    return body;
  }

  /** The head encoded for HTTP/1.1 with the same edits; null if not encoded yet. */
  public byte @Nullable [] encoded(ResponseEdits edits) {
    return Encoded.of(encoded, edits);
  }

  public void encoded(ResponseEdits edits, byte[] bytes) {
    encoded = new Encoded<>(edits, bytes);
  }

  /** The head encoded for HTTP/2 with the same edits; null if not encoded yet. */
  public @Nullable Object fields(ResponseEdits edits) {
    return Encoded.of(fields, edits);
  }

  /** @param unchangeable the encoded head, which must be immutable */
  public void fields(ResponseEdits edits, Object unchangeable) {
    fields = new Encoded<>(edits, unchangeable);
  }
}
