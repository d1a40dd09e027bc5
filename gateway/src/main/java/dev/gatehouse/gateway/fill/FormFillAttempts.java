package dev.gatehouse.gateway.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The form fills of each session and their results. A failed fill is not repeated automatically, so that the app does
 * not lock the account, and the browser is not redirected in a loop.
 */
final class FormFillAttempts {

  /** A form that returns within this time after it was submitted was not accepted. */
  private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(1);

  /** After a failure the form is not filled for this long, unless the person corrects the stored values. */
  private static final Duration PAUSE = Duration.ofMinutes(5);

  /**
   * The number of forms that may be submitted concurrently, for tabs and frames; more of them are reloads of a slow
   * page.
   */
  private static final int TOGETHER = 4;

  private static final int MAX = 100_000;

  private record Key(SessionId session, String app) {}

  /**
   * @param times how often the form was filled
   * @param at when it was last filled
   * @param open whether only the form was seen since then
   * @param failed whether the last fill was not accepted
   * @param together how many were submitted since another page was seen
   * @param answeredAt when the app answered the first of those; {@link Instant#MAX} until then
   */
  record Entry(int times, Instant at, boolean open, boolean failed, int together, Instant answeredAt) {

    boolean isOpen(Instant now) {
      return open && now.isBefore(at.plus(ANSWERED_WITHIN));
    }
  }

  private static final Entry NONE = new Entry(0, Instant.MIN, false, false, 0, Instant.MAX);

  private final Cache<Key, Entry> entries =
      Caffeine.newBuilder().maximumSize(MAX).expireAfterAccess(Duration.ofHours(12)).executor(Runnable::run).build();
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

  /** Records that the app has answered: pages requested from now on show the result. */
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

  /** Records that another page of the app was seen. */
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
   * Returns whether the form must not be filled for now. A form that was requested before the last one was answered (in several
   * tabs, or frames of one page) does not show that the last one failed.
   *
   * @param changedAt when the stored values were last changed
   * @param askedAt when the form's page was requested
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
