package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client's connection proved last about its device: the fields whose fingerprint was compared, and the cookie of a proved
 * key. A browser's page loads, scripts, images and WebSockets send some of the fields in different orders, so that a few digests
 * are kept.
 */
public final class DeviceMemo {

  private static final int DIGESTS = 4;

  private final long[] accepted = new long[DIGESTS];
  private int count;
  private @Nullable AppSession session;
  private @Nullable SessionId token;
  private byte[] cookie = {};
  private Instant end = Instant.MIN;
  private final IntSupplier clientHello;

  /** @param clientHello the digest of the connection's ClientHello, asked once the handshake is over; 0 if unknown */
  DeviceMemo(IntSupplier clientHello) {
    this.clientHello = clientHello;
  }

  int clientHello() {
    return clientHello.getAsInt();
  }

  boolean isAccepted(AppSession asking, long digest) {
    if (session != asking) {
      return false;
    }
    for (int i = 0; i < Math.min(count, DIGESTS); i++) {
      if (accepted[i] == digest) {
        return true;
      }
    }
    return false;
  }

  void accept(AppSession asking, long digest) {
    if (session != asking) {
      session = asking;
      count = 0;
    }
    accepted[count++ % DIGESTS] = digest;
    if (count == 2 * DIGESTS) {
      count = DIGESTS;
    }
  }

  /** Returns whether this cookie was verified for this token, and is not over. */
  boolean isProved(SessionId asking, CookieValue sent, Instant now) {
    return asking.equals(token) && sent.isSame(cookie) && now.isBefore(end);
  }

  void proved(SessionId asking, CookieValue sent, Instant until) {
    token = asking;
    cookie = sent.copy();
    end = until;
  }
}
