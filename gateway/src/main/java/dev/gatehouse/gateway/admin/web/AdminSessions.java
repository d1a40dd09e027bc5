package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
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
 * The sessions of administrators, in memory: a restart ends them. A session ends 15 minutes after its last request, 8 hours after its
 * beginning, and with the key or the login that it began with. What it may do is what the key or the person may do at each request.
 */
public final class AdminSessions {

  /** The cookie with a session's token. */
  public static final String COOKIE = "gh_admin";

  static final Duration IDLE = Duration.ofMinutes(15);
  static final Duration LONGEST = Duration.ofHours(8);

  /** Sessions of one administrator: a script that logs in again and again fills no memory. */
  static final int MOST_OF_ONE_ADMINISTRATOR = 1000;

  /** Who a session belongs to. */
  private sealed interface Holder {
    record OfKey(String name, String digest) implements Holder {}

    record OfPerson(String realm, PersonId person) implements Holder {}
  }

  /**
   * A session.
   *
   * @param login of a person; empty for a key
   * @param saved a form that waits until the person has logged in again
   */
  private record Session(Holder holder, Optional<PersonLogin> login, Instant createdAt, Instant lastUse, Optional<SavedForm> saved) {
    boolean isOver(Instant now) {
      return !now.isBefore(lastUse.plus(IDLE)) || !now.isBefore(createdAt.plus(LONGEST));
    }

    Session usedAt(Instant now) {
      return new Session(holder, login, createdAt, now, saved);
    }

    Session with(SavedForm form) {
      return new Session(holder, login, createdAt, lastUse, Optional.of(form));
    }
  }

  private final AdministratorKeys keys;
  private final AdministratorPeople people;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** @param random a SecureRandom outside tests */
  AdminSessions(AdministratorKeys keys, AdministratorPeople people, InstantSource time, RandomGenerator random) {
    this.keys = keys;
    this.people = people;
    this.time = time;
    this.random = random;
  }

  /** Returns what the browser holds. */
  public static Optional<SessionToken> token(EdgeRequest request) {
    return request.cookie(COOKIE).flatMap(SessionToken::parse);
  }

  /** Begins a session with a key that was verified; the one of that key that was unused longest ends if there are too many. */
  public SessionToken begin(NamedKey key) {
    return begin(new Holder.OfKey(key.name(), key.digest()), Optional.empty());
  }

  /** Begins a session of a person who has logged in. */
  public SessionToken begin(PersonLogin login) {
    return begin(new Holder.OfPerson(login.realm(), login.person()), Optional.of(login));
  }

  private synchronized SessionToken begin(Holder holder, Optional<PersonLogin> login) {
    Instant now = time.instant();
    sessions.values().removeIf(session -> session.isOver(now));
    List<Map.Entry<SessionId, Session>> same =
        sessions.entrySet().stream().filter(entry -> entry.getValue().holder().equals(holder)).toList();
    if (same.size() >= MOST_OF_ONE_ADMINISTRATOR) {
      same.stream().min(Comparator.comparing(entry -> entry.getValue().lastUse())).map(Map.Entry::getKey).ifPresent(sessions::remove);
    }
    SessionToken token = SessionToken.create(random);
    sessions.put(token.id(), new Session(holder, login, now, now, Optional.empty()));
    return token;
  }

  /** Returns what the session's administrator may do now; empty if the session, its key, its login or the person's roles have ended. */
  public Optional<AdminRights> use(SessionToken token, EdgeRequest request) {
    return rights(token, request, true);
  }

  /** As {@link #use}, for requests that a page repeats by itself: they do not keep the session of somebody who has left. */
  public Optional<AdminRights> look(SessionToken token, EdgeRequest request) {
    return rights(token, request, false);
  }

  private Optional<AdminRights> rights(SessionToken token, EdgeRequest request, boolean isUse) {
    Optional<Session> found = find(token.id(), isUse);
    // Files, directory and database are read outside of the lock.
    Optional<AdminRights> rights = found.flatMap(session -> rights(session, request));
    if (found.isPresent() && rights.isEmpty()) {
      end(token);
    }
    return rights;
  }

  private Optional<AdminRights> rights(Session session, EdgeRequest request) {
    return switch (session.holder()) {
      case Holder.OfKey(String name, String digest) ->
          keys.current(name, digest).map(present -> new AdminRights(present.name(), present.grants()));
      case Holder.OfPerson person -> session.login().flatMap(login -> people.rights(request, login));
    };
  }

  private synchronized Optional<Session> find(SessionId id, boolean isUse) {
    Instant now = time.instant();
    return Optional.ofNullable(
        sessions.computeIfPresent(id, (same, session) -> session.isOver(now) ? null : isUse ? session.usedAt(now) : session));
  }

  /** Saves a form until the person has logged in again, in place of an earlier one of that session. */
  public synchronized void save(SessionToken token, SavedForm form) {
    sessions.computeIfPresent(token.id(), (same, session) -> session.with(form));
  }

  /**
   * Ends the session that a login replaces. Returns the form that was saved in it, if the session was the same person's; nobody sends the
   * form of another person.
   */
  public synchronized Optional<SavedForm> replace(SessionId before, PersonLogin by) {
    Optional<Session> ended = Optional.ofNullable(sessions.remove(before));
    return ended.filter(session -> session.holder().equals(new Holder.OfPerson(by.realm(), by.person()))).flatMap(Session::saved);
  }

  public synchronized void end(SessionToken token) {
    sessions.remove(token.id());
  }

  synchronized int count() {
    return sessions.size();
  }
}
