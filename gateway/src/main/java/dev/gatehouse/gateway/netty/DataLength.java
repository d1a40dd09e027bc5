package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** Whether the DATA frames of a stream are as many bytes as its head said (RFC 9113, section 8.1.1). */
final class DataLength {

  private static final long UNSAID = -1;

  private long missing;

  /** @param head nothing where it is malformed: then nothing is expected of the rest */
  DataLength(@Nullable RequestHead head) {
    BodyFraming framing = head == null ? BodyFraming.CHUNKED : head.framing();
    this.missing =
        switch (framing) {
          case BodyFraming.Length(long bytes) -> bytes;
          case BodyFraming.None none -> 0;
          case BodyFraming.Chunked chunked -> UNSAID;
          case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
        };
  }

  /** Takes note of that many; false where they are more than there should be, or these were the last and too few. */
  boolean takes(int bytes, boolean last) {
    if (missing == UNSAID) {
      return true;
    }
    missing -= bytes;
    boolean tooMany = missing < 0;
    missing = Math.max(missing, 0);
    return !tooMany && !(last && missing > 0);
  }
}
