package dev.gatehouse.gateway.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How often forms were filled in a session, and with what success: what failed is not tried again by itself, so that no app
 * locks an account because of us, and nobody is sent in a circle.
 */
final class FillLedger {

  /** How long after it was sent a form that comes again says that it was not accepted. */
  private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(1);

  /** What failed is left alone for so long, unless the person corrects what is stored. */
  private static final Duration PAUSE = Duration.ofMinutes(5);

  private static final int MOST = 100_000;

  private record Key(SessionId session, String app) {}

  /**
   * @param times how often it was filled
   * @param at when it was last
   * @param open whether nothing but the form was seen since
   * @param failed whether that one was not accepted
   */
  record Entry(int times, Instant at, boolean open, boolean failed) {}

  private static final Entry NONE = new Entry(0, Instant.MIN, false, false);

  private final Cache<Key, Entry> entries =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(Duration.ofHours(12)).build();
  private final InstantSource time;

  FillLedger(InstantSource time) {
    this.time = time;
  }

  int times(SessionId session, String app) {
    return entry(session, app).times();
  }

  void begun(SessionId session, String app) {
    entries
        .asMap()
        .compute(
            new Key(session, app),
            (key, before) -> new Entry((before == null ? NONE : before).times() + 1, time.instant(), true, false));
  }

  /** Another page of the app was seen. */
  void arrived(SessionId session, String app) {
    entries
        .asMap()
        .computeIfPresent(
            new Key(session, app), (key, now) -> new Entry(now.times(), now.at(), false, now.failed()));
  }

  void failed(SessionId session, String app) {
    entries
        .asMap()
        .computeIfPresent(new Key(session, app), (key, now) -> new Entry(now.times(), time.instant(), false, true));
  }

  /**
   * Whether the form must not be filled again for now.
   *
   * @param changedAt when what it is filled with last changed
   */
  boolean isBarred(SessionId session, String app, Instant changedAt) {
    Entry last = entry(session, app);
    if (last.times() == 0 || changedAt.isAfter(last.at())) {
      return false;
    }
    Instant now = time.instant();
    if (last.open() && now.isBefore(last.at().plus(ANSWERED_WITHIN))) {
      failed(session, app);
      return true;
    }
    return last.failed() && now.isBefore(last.at().plus(PAUSE));
  }

  private Entry entry(SessionId session, String app) {
    Entry found = entries.getIfPresent(new Key(session, app));
    return found == null ? NONE : found;
  }
}
