package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.gateway.admin.web.AdminSession.Holder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of administrators: in memory, where a restart ends them, or in the store that several nodes share. A session ends 15 minutes
 * after its last request, 8 hours after its beginning, and with the key or the login that it began with. What it may do is what the key or
 * the person may do at each request.
 *
 * <p>While no server of the shared store answers, a session that begins with a key is in this node's memory: a key opens the console then,
 * too.
 */
public final class AdminSessions {

  private static final Logger LOG = LoggerFactory.getLogger(AdminSessions.class);

  /** The cookie with a session's token. */
  public static final String COOKIE = "gh_admin";

  /** Sessions of one administrator: a script that logs in again and again fills no memory. */
  static final int MOST_OF_ONE_ADMINISTRATOR = 1000;

  private final AdministratorKeys keys;
  private final AdministratorPeople people;
  private final InstantSource time;
  private final RandomGenerator random;
  private final AdminSessionsInMemory own = new AdminSessionsInMemory();
  private final Optional<SessionStore<AdminSession>> shared;

  /** @param random a SecureRandom outside tests */
  AdminSessions(AdministratorKeys keys, AdministratorPeople people, Stores stores, InstantSource time, RandomGenerator random) {
    this.keys = keys;
    this.people = people;
    this.time = time;
    this.random = random;
    // Whoever frees space must be able to log in while there is none.
    this.shared = stores.ends().sessionsIfShared("admin", new AdminSession.Codec());
  }

  /** Returns what the browser holds. */
  public static Optional<SessionToken> token(EdgeRequest request) {
    return request.cookie(COOKIE).flatMap(SessionToken::parse);
  }

  /** Begins a session with a key that was verified; the one of that key that was unused longest ends if there are too many. */
  public SessionToken begin(NamedKey key) {
    return begin(new Holder.OfKey(key.name(), key.digest()));
  }

  /** Begins a session of a person who has logged in. */
  public SessionToken begin(PersonLogin login) {
    return begin(new Holder.OfPerson(login));
  }

  private SessionToken begin(Holder holder) {
    SessionToken token = SessionToken.create(random);
    AdminSession session = AdminSession.begun(token.id(), holder, time.instant());
    if (shared.isEmpty()) {
      add(session);
      return token;
    }
    try {
      makeRoom(shared.get().byIndex(holder.owner())).ifPresent(shared.get()::end);
      shared.get().create(session);
    } catch (StoreUnavailable e) {
      if (holder instanceof Holder.OfPerson) {
        throw e;
      }
      LOG.warn("The session of a key counts at this node alone, because the shared store cannot be used: {}", e.getMessage());
      add(session);
    }
    return token;
  }

  private synchronized void add(AdminSession session) {
    own.add(session);
    List<AdminSession> same = new ArrayList<>(own.of(session.holder().owner()));
    same.removeIf(other -> other.id().equals(session.id()));
    makeRoom(same).ifPresent(own::end);
  }

  /** Returns the session that ends for a new one. */
  private static Optional<SessionId> makeRoom(List<AdminSession> same) {
    return same.size() < MOST_OF_ONE_ADMINISTRATOR
        ? Optional.empty()
        : same.stream().min(Comparator.comparing(AdminSession::expiresAt)).map(AdminSession::id);
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
    Optional<AdminSession> found = find(token.id(), isUse);
    // Files, directory and database are read outside of the lock.
    Optional<AdminRights> rights = found.flatMap(session -> rights(session, request));
    if (found.isPresent() && rights.isEmpty() && !mayOnlyBeUnknownHere(found.get())) {
      end(token);
    }
    return rights;
  }

  /** A node that reads an old copy of the keys, because the database is away, does not know a new one: others do. */
  private boolean mayOnlyBeUnknownHere(AdminSession session) {
    return shared.isPresent() && session.holder() instanceof Holder.OfKey;
  }

  private Optional<AdminRights> rights(AdminSession session, EdgeRequest request) {
    return switch (session.holder()) {
      case Holder.OfKey(String name, String digest) ->
          keys.current(name, digest).map(present -> new AdminRights(present.name(), present.grants()));
      case Holder.OfPerson(PersonLogin login) -> people.rights(request, login);
    };
  }

  private Optional<AdminSession> find(SessionId id, boolean isUse) {
    Instant now = time.instant();
    UnaryOperator<AdminSession> use = isUse ? session -> session.usedAt(now) : session -> session;
    Optional<AdminSession> here = own.update(id, now, use);
    return here.isPresent() ? here : shared.flatMap(store -> find(store, id, isUse, use));
  }

  private static Optional<AdminSession> find(
      SessionStore<AdminSession> store, SessionId id, boolean isUse, UnaryOperator<AdminSession> use) {
    if (!isUse) {
      return store.find(id);
    }
    // A node that served the session before goes on for a while when no server answers, without prolonging it.
    Optional<AdminSession> known = store.find(id);
    try {
      return known.isEmpty() ? known : store.update(id, use);
    } catch (StoreUnavailable e) {
      LOG.debug("The use of a session is not noted: {}", e.getMessage());
      return known;
    }
  }

  /** Saves a form until the person has logged in again, in place of an earlier one of that session. */
  public void save(SessionToken token, SavedForm form) {
    if (own.update(token.id(), time.instant(), session -> session.with(form)).isEmpty()) {
      shared.ifPresent(store -> store.update(token.id(), session -> session.with(form)));
    }
  }

  /**
   * Ends the session that a login replaces. Returns the form that was saved in it, if the session was the same person's; nobody sends the
   * form of another person.
   */
  public Optional<SavedForm> replace(SessionId before, PersonLogin by) {
    return end(before)
        .filter(session -> session.holder().owner().equals(new Holder.OfPerson(by).owner()))
        .flatMap(AdminSession::saved);
  }

  public void end(SessionToken token) {
    end(token.id());
  }

  /** Ends the session that the login of a key replaces, if its store can be used; otherwise it ends by itself. */
  public void endIfPossible(SessionToken token) {
    try {
      end(token);
    } catch (StoreUnavailable e) {
      LOG.debug("A session that was replaced ends by itself: {}", e.getMessage());
    }
  }

  private Optional<AdminSession> end(SessionId id) {
    Optional<AdminSession> here = own.end(id);
    return here.isPresent() ? here : shared.flatMap(store -> store.end(id));
  }

  /** Returns the number of sessions, some of which may be over. */
  long count() {
    return own.count() + shared.map(SessionStore::count).orElse(0L);
  }
}
