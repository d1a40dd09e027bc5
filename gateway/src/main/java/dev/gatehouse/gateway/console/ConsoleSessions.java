package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The sessions of the console, in memory: a restart ends them. A session ends 15 minutes after its last request, 8 hours after its
 * beginning, and with its key. What it may do is what its key may do at each request.
 */
final class ConsoleSessions {

  static final Duration IDLE = Duration.ofMinutes(15);
  static final Duration LONGEST = Duration.ofHours(8);

  /** Sessions of one key: a script that logs in again and again fills no memory. */
  static final int MOST_OF_ONE_KEY = 1000;

  private record Session(String key, String digest, Instant createdAt, Instant lastUse) {
    boolean isOver(Instant now) {
      return !now.isBefore(lastUse.plus(IDLE)) || !now.isBefore(createdAt.plus(LONGEST));
    }

    Session usedAt(Instant now) {
      return new Session(key, digest, createdAt, now);
    }
  }

  private final AdministratorKeys keys;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** @param random a SecureRandom outside tests */
  ConsoleSessions(AdministratorKeys keys, InstantSource time, RandomGenerator random) {
    this.keys = keys;
    this.time = time;
    this.random = random;
  }

  /** Begins a session with a key that was verified; the one of that key that was unused longest ends if there are too many. */
  synchronized SessionToken begin(NamedKey key) {
    Instant now = time.instant();
    sessions.values().removeIf(session -> session.isOver(now));
    List<Map.Entry<SessionId, Session>> same =
        sessions.entrySet().stream().filter(entry -> entry.getValue().digest().equals(key.digest())).toList();
    if (same.size() >= MOST_OF_ONE_KEY) {
      same.stream().min(Comparator.comparing(entry -> entry.getValue().lastUse())).map(Map.Entry::getKey).ifPresent(sessions::remove);
    }
    SessionToken token = SessionToken.create(random);
    sessions.put(token.id(), new Session(key.name(), key.digest(), now, now));
    return token;
  }

  /** Returns what the session's administrator may do now; empty if the session or its key has ended. */
  Optional<AdminRights> use(SessionToken token) {
    return rights(token, true);
  }

  /** As {@link #use}, for requests that a page repeats by itself: they do not keep the session of somebody who has left. */
  Optional<AdminRights> look(SessionToken token) {
    return rights(token, false);
  }

  private Optional<AdminRights> rights(SessionToken token, boolean isUse) {
    Optional<Session> found = find(token.id(), isUse);
    // The file is read outside of the lock.
    Optional<NamedKey> key = found.flatMap(session -> keys.current(session.key(), session.digest()));
    if (found.isPresent() && key.isEmpty()) {
      end(token);
    }
    return key.map(present -> new AdminRights(present.name(), present.grants()));
  }

  private synchronized Optional<Session> find(SessionId id, boolean isUse) {
    Instant now = time.instant();
    return Optional.ofNullable(
        sessions.computeIfPresent(id, (same, session) -> session.isOver(now) ? null : isUse ? session.usedAt(now) : session));
  }

  synchronized void end(SessionToken token) {
    sessions.remove(token.id());
  }

  synchronized int count() {
    return sessions.size();
  }
}
