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
final class FormFillAttempts {

  /** How long after it was sent a form that comes again says that it was not accepted. */
  private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(1);

  /** What failed is left alone for so long, unless the person corrects what is stored. */
  private static final Duration PAUSE = Duration.ofMinutes(5);

  /** Forms of tabs and frames that were asked for together; more of them are somebody who reloads a slow page. */
  private static final int TOGETHER = 4;

  private static final int MOST = 100_000;

  private record Key(SessionId session, String app) {}

  /**
   * @param times how often it was filled
   * @param at when it was last
   * @param open whether nothing but the form was seen since
   * @param failed whether that one was not accepted
   * @param together how many were sent since anything but the form was seen
   * @param answeredAt when the app answered the first of those; {@link Instant#MAX} until then
   */
  record Entry(int times, Instant at, boolean open, boolean failed, int together, Instant answeredAt) {

    boolean isOpen(Instant now) {
      return open && now.isBefore(at.plus(ANSWERED_WITHIN));
    }
  }

  private static final Entry NONE = new Entry(0, Instant.MIN, false, false, 0, Instant.MAX);

  private final Cache<Key, Entry> entries =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(Duration.ofHours(12)).build();
  private final InstantSource time;

  FormFillAttempts(InstantSource time) {
    this.time = time;
  }

  int times(SessionId session, String app) {
    return entry(session, app).times();
  }

  void begun(SessionId session, String app) {
    Instant now = time.instant();
    entries
        .asMap()
        .compute(
            new Key(session, app),
            (key, known) -> {
              Entry before = known == null ? NONE : known;
              return before.isOpen(now)
                  ? new Entry(before.times() + 1, now, true, false, before.together() + 1, before.answeredAt())
                  : new Entry(before.times() + 1, now, true, false, 1, Instant.MAX);
            });
  }

  /** The app answered: a page that is asked for from now on shows what came of it. */
  void answered(SessionId session, String app) {
    Instant now = time.instant();
    entries
        .asMap()
        .computeIfPresent(
            new Key(session, app),
            (key, known) ->
                known.answeredAt().equals(Instant.MAX)
                    ? new Entry(known.times(), known.at(), known.open(), known.failed(), known.together(), now)
                    : known);
  }

  /** Another page of the app was seen. */
  void arrived(SessionId session, String app) {
    entries
        .asMap()
        .computeIfPresent(
            new Key(session, app),
            (key, now) -> new Entry(now.times(), now.at(), false, now.failed(), 0, now.answeredAt()));
  }

  void failed(SessionId session, String app) {
    entries
        .asMap()
        .computeIfPresent(
            new Key(session, app),
            (key, now) -> new Entry(now.times(), time.instant(), false, true, 0, now.answeredAt()));
  }

  /**
   * Whether the form must not be filled again for now. A form that was asked for before the last one was answered (several
   * tabs, the frames of one page) says nothing of that one.
   *
   * @param changedAt when what it is filled with last changed
   * @param askedAt when the form's page was asked for
   */
  boolean isBarred(SessionId session, String app, Instant changedAt, Instant askedAt) {
    Entry last = entry(session, app);
    if (last.times() == 0 || changedAt.isAfter(last.at())) {
      return false;
    }
    Instant now = time.instant();
    boolean saysNo = last.together() >= TOGETHER || !askedAt.isBefore(last.answeredAt());
    if (last.isOpen(now) && saysNo) {
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
