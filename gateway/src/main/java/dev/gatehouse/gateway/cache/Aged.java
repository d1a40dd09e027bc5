package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A kept response as it is sent during one second: its Age is part of the head. What is encoded for one version of HTTP
 * is kept with it, so that a page that many ask for is encoded once a second.
 */
public final class Aged {

  private record Encoded(ResponseEdits edits, byte[] head) {}

  private final long second;
  private final ResponseHead head;
  private final ByteBuffer body;
  private volatile @Nullable Encoded encoded;

  Aged(long second, ResponseHead head, ByteBuffer body) {
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

  /** Shared by everybody: only ever read through duplicates. */
  public ByteBuffer body() {
    return body;
  }

  /** The head as it was encoded for HTTP/1.1 with the same edits; null where nobody did yet. */
  public byte @Nullable [] encoded(ResponseEdits edits) {
    Encoded known = encoded;
    return known != null && (known.edits() == edits || known.edits().equals(edits)) ? known.head() : null;
  }

  public void encoded(ResponseEdits edits, byte[] bytes) {
    encoded = new Encoded(edits, bytes);
  }
}
