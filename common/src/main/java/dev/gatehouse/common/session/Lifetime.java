package dev.gatehouse.common.session;

import dev.gatehouse.common.realm.SessionTimeouts;
import java.time.Duration;
import java.time.Instant;

/**
 * The times of a session.
 *
 * @param expiresAt the earlier of the idle end and the absolute end, as of the last touch
 * @param absoluteEnd the latest possible end
 */
public record Lifetime(Instant createdAt, Instant expiresAt, Instant absoluteEnd) {

  /** Begins now, with the realm's lifetimes. */
  public static Lifetime beginning(Instant now, SessionTimeouts life) {
    return beginning(now, life.idle(), now.plus(life.absolute()));
  }

  public static Lifetime beginning(Instant now, Duration idle, Instant absoluteEnd) {
    return new Lifetime(now, absoluteEnd, absoluteEnd).touched(now, idle);
  }

  /** The same lifetime after a use at this time. */
  public Lifetime touched(Instant now, Duration idle) {
    Instant idleEnd = now.plus(idle);
    return new Lifetime(createdAt, idleEnd.isBefore(absoluteEnd) ? idleEnd : absoluteEnd, absoluteEnd);
  }

  /** The same lifetime with another idle end. */
  public Lifetime expiringAt(Instant end) {
    return new Lifetime(createdAt, end, absoluteEnd);
  }
}
