package dev.gatehouse.sp.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of tokens without asking the store each time: a cache of its own where no other node changes sessions, otherwise what
 * the store itself has in memory and knows to be current.
 */
final class KnownSessions {

  /** At about one kilobyte each, this fits into the memory of a small node. */
  private static final int MAX_CACHED = 50_000;

  /** The knowledge about a token's id. */
  sealed interface Known {
    /** @param touchDue the time from which a request should move the session's idle end */
    record Open(AppSession session, Instant touchDue) implements Known {}

    record Alias(SessionId target) implements Known {}

    record Nothing() implements Known {}
  }

  private static final Known NOTHING = new Known.Nothing();

  private final SessionStore<AppSession> sessions;
  private final SessionStore<AppAlias> aliases;
  private final Function<AppSession, Known> opened;
  /**
   * The cache runs its maintenance on the calling threads: waking another thread costs more than the maintenance of one
   * in a thousand lookups.
   */
  private final Optional<Cache<SessionId, Known>> cache;

  /** @param opened says when a session is to be touched */
  KnownSessions(SessionStore<AppSession> sessions, SessionStore<AppAlias> aliases, Function<AppSession, Known> opened) {
    this.sessions = sessions;
    this.aliases = aliases;
    this.opened = opened;
    this.cache =
        sessions.isShared()
            ? Optional.empty()
            : Optional.of(
                Caffeine.newBuilder()
                    .maximumSize(MAX_CACHED)
                    .expireAfterAccess(Duration.ofMinutes(10))
                    .executor(Runnable::run)
                    .build());
  }

  /** Returns what memory knows; null if the store must be asked. */
  @Nullable Known peek(SessionId id) {
    if (cache.isPresent()) {
      return cache.get().getIfPresent(id);
    }
    return sessions.peek(id).map(opened).or(() -> aliases.peek(id).map(alias -> new Known.Alias(alias.session()))).orElse(null);
  }

  Known get(SessionId id) {
    if (cache.isPresent()) {
      return cache.get().get(id, this::read);
    }
    try {
      return read(id);
    } catch (StoreUnavailable e) {
      // The store serves sessions that it knew for a while, also by further tokens.
      return aliases.find(id).<Known>map(alias -> new Known.Alias(alias.session())).orElseThrow(() -> e);
    }
  }

  /** Runs under the cache's lock for this id: a concurrent {@link #ended} waits and overwrites the result. */
  private Known read(SessionId id) {
    return sessions
        .find(id)
        .map(opened)
        .or(() -> aliases.find(id).map(alias -> new Known.Alias(alias.session())))
        .orElse(NOTHING);
  }

  /**
   * Reads a session that was just created. It is not put into the cache as it is, because another caller may have ended it in the
   * meantime.
   */
  void created(SessionId id) {
    cache.ifPresent(known -> known.asMap().computeIfAbsent(id, this::read));
  }

  /** Reads a session that was changed, if it is in the cache. */
  void changed(SessionId id) {
    cache.ifPresent(known -> known.asMap().computeIfPresent(id, (key, before) -> read(key)));
  }

  void ended(SessionId id) {
    cache.ifPresent(known -> known.put(id, NOTHING));
  }

  /**
   * Moves the session's idle end if that is still due.
   *
   * @param open the session as it is known; served as it is if the store does not answer, while it may be served at all
   */
  Optional<AppSession> touch(Known.Open open, Instant now, UnaryOperator<AppSession> change) {
    SessionId id = open.session().id();
    if (cache.isPresent()) {
      Known touched =
          cache.get()
              .asMap()
              .compute(
                  id,
                  (key, before) ->
                      before != null && !isDue(before, now) && before instanceof Known.Open
                          ? before
                          : sessions.update(id, change).map(opened).orElse(NOTHING));
      return touched instanceof Known.Open(AppSession session, Instant due) ? Optional.of(session) : Optional.empty();
    }
    try {
      return sessions.update(id, session -> isDue(opened.apply(session), now) ? change.apply(session) : session);
    } catch (StoreUnavailable e) {
      return sessions.find(id);
    }
  }

  private static boolean isDue(Known known, Instant now) {
    return known instanceof Known.Open(AppSession session, Instant due) && !now.isBefore(due);
  }
}
