package dev.gatehouse.gateway.signon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When sessions were last used on routes that ask for it, at this node and to the millisecond; the store knows it to the minute
 * only, and of every route. What is forgotten, by a restart or because there are too many, makes people log in once more.
 */
public final class SessionUses {

  private static final int MOST = 200_000;

  /** Longer than any configured time. */
  private static final Duration KEPT = Duration.ofDays(1).plusMinutes(1);

  private final Cache<SessionId, AtomicLong> uses =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(KEPT).build();

  /** The epoch where it is not known; never blocks. */
  public Instant last(SessionId session) {
    AtomicLong use = uses.getIfPresent(session);
    return use == null ? Instant.EPOCH : Instant.ofEpochMilli(use.get());
  }

  /** The session is used now; never blocks. */
  public void used(SessionId session, Instant now) {
    AtomicLong use = uses.getIfPresent(session);
    if (use == null) {
      uses.put(session, new AtomicLong(now.toEpochMilli()));
    } else {
      use.set(now.toEpochMilli());
    }
  }
}
