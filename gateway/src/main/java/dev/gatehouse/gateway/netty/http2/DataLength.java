package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** Checks that the DATA frames of a stream add up to the Content-Length of its head (RFC 9113, section 8.1.1). */
final class DataLength {

  private static final long UNDECLARED = -1;

  private long missing;

  /** @param head null if it is malformed; the length of its body is then not checked */
  DataLength(@Nullable RequestHead head) {
    BodyFraming framing = head == null ? BodyFraming.CHUNKED : head.framing();
    this.missing =
        switch (framing) {
          case BodyFraming.Length(long bytes) -> bytes;
          case BodyFraming.None none -> 0;
          case BodyFraming.Chunked chunked -> UNDECLARED;
          case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
        };
  }

  /** Counts received bytes; returns false if there are too many, or if these were the last and there are too few. */
  boolean accept(int bytes, boolean last) {
    if (missing == UNDECLARED) {
      return true;
    }
    missing -= bytes;
    boolean tooMany = missing < 0;
    missing = Math.max(missing, 0);
    return !tooMany && !(last && missing > 0);
  }
}
