package dev.gatehouse.gateway.signon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last uses of sessions on routes that limit the idle time, at this node, to the millisecond; the store knows uses
 * of all routes, but only to the minute. If an entry is lost, through a restart or because there are too many, the
 * person must log in once more.
 */
public final class SessionUses {

  private static final int MAX = 200_000;

  /** Longer than every permitted configuration. */
  private static final Duration RETENTION = Duration.ofDays(1).plusMinutes(1);

  private final Cache<SessionId, AtomicLong> uses =
      Caffeine.newBuilder().maximumSize(MAX).expireAfterAccess(RETENTION).executor(Runnable::run).build();

  /** The last use; the epoch if it is unknown. Never blocks. */
  public Instant last(SessionId session) {
    AtomicLong use = uses.getIfPresent(session);
    return use == null ? Instant.EPOCH : Instant.ofEpochMilli(use.get());
  }

  /** Records a use of the session; never blocks. */
  public void used(SessionId session, Instant now) {
    AtomicLong use = uses.getIfPresent(session);
    if (use == null) {
      uses.put(session, new AtomicLong(now.toEpochMilli()));
    } else {
      use.set(now.toEpochMilli());
    }
  }
}
