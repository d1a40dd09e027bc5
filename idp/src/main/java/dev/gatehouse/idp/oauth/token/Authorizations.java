package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.idp.authn.PasswordNotice;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The valid authorizations. An authorization that began in a session is valid as long as the session is. This is
 * checked at each use, so that ending a session needs no notification. An ended authorization stays ended, also after a
 * restart.
 */
public final class Authorizations implements PasswordNotice {

  /** The age at which a person's data are read again; the same as for sessions. */
  private static final Duration STALE_AFTER = Duration.ofSeconds(30);

  /** The cause of an end, for the audit log. */
  public enum End {
    /** Revoked by its client (RFC 7009). */
    REVOKED("revoked"),
    /** A code or a refresh token was presented twice. */
    REPLAYED("replayed"),
    /** What is stored about the person was erased. */
    ERASED("erased"),
    /** The person ended it. */
    ACCOUNT("account"),
    /** An administrator ended it. */
    ADMINISTRATOR("administrator"),
    PASSWORD_CHANGED("password changed"),
    /** The directory does not contain the person any more, or has disabled the account. */
    PERSON_GONE("person gone");

    private final String word;

    End(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  private final SessionStore<Authorization> store;
  private final IdpSessions sessions;
  private final Directories directories;
  private final AuditLog audit;
  private final InstantSource clock;

  public Authorizations(
      SessionStore<Authorization> store,
      IdpSessions sessions,
      Directories directories,
      AuditLog audit,
      InstantSource clock) {
    this.store = store;
    this.sessions = sessions;
    this.directories = directories;
    this.audit = audit;
    this.clock = clock;
  }

  /** Stores the authorization. It is durable when the method returns. */
  public void begin(Authorization authorization) {
    store.create(authorization);
  }

  /** Returns the authorization if it is valid. */
  public Optional<Authorization> find(RealmRequest request, SessionId id) {
    return store.find(id).filter(found -> isIn(request, found));
  }

  /**
   * Returns the authorization as this node knows it, for a caller that {@link #update updates} it next: only then is it certain that it is
   * valid, and which refresh token it has. Its client, binding and grant never change. Where a use has an effect before that, it is read.
   */
  Optional<Authorization> lastKnown(RealmRequest request, SessionId id) {
    return store
        .lastKnown(id)
        .filter(known -> !isUseDue(request, known))
        .or(() -> store.find(id))
        .filter(found -> isIn(request, found));
  }

  /** Returns whether a use prolongs the session, or reads the person again: one that has ended must do neither. */
  private boolean isUseDue(RealmRequest request, Authorization known) {
    return isOld(known, clock.instant()) || known.endsWith().filter(session -> sessions.isUseDue(request, session)).isPresent();
  }

  private static boolean isOld(Authorization authorization, Instant now) {
    return !authorization.snapshot().readAt().plus(STALE_AFTER).isAfter(now);
  }

  private boolean isIn(RealmRequest request, Authorization found) {
    return found.realm().equals(request.realm().name()) && isInSession(found);
  }

  /** Returns the stored authorization, also if its session has ended. */
  public Optional<Authorization> stored(String realm, SessionId id) {
    return store.find(id).filter(found -> found.realm().equals(realm));
  }

  /** Returns whether its session, if it has one, has not ended. */
  boolean isInSession(Authorization authorization) {
    return authorization.endsWith().map(session -> sessions.isOpen(authorization.realm(), session)).orElse(true);
  }

  /** Changes the authorization atomically; empty if it has ended. */
  Optional<Authorization> update(SessionId id, UnaryOperator<Authorization> change) {
    return store.update(id, change);
  }

  /**
   * Returns the authorization with the person's current data from the directory, if the known data are older than half
   * a minute; empty if the person is gone or the account is disabled. While the directory is down, the known data remain
   * valid. Stores nothing.
   */
  public Optional<Authorization> upToDate(RealmRequest request, Authorization authorization) {
    Instant now = clock.instant();
    if (!isOld(authorization, now)) {
      return Optional.of(authorization);
    }
    Optional<Person> person;
    try {
      person = directories.of(request.realm()).findStillEnabled(authorization.person());
    } catch (DirectoryUnavailable e) {
      return Optional.of(authorization);
    }
    return person.map(found -> authorization.reread(found, now));
  }

  /**
   * Like {@link #upToDate}, for a stored authorization: stores the data that were read, and ends the authorization if
   * the person is gone or the account is disabled.
   */
  public Optional<Authorization> reread(RealmRequest request, Authorization authorization) {
    Optional<Authorization> current = upToDate(request, authorization);
    if (current.isEmpty()) {
      end(request.context(), authorization.realm(), authorization.id(), End.PERSON_GONE);
      return Optional.empty();
    }
    Authorization known = current.get();
    return known.snapshot().readAt().equals(authorization.snapshot().readAt())
        ? current
        : store.update(known.id(), stored -> stored.reread(known.snapshot().details(), known.snapshot().readAt()));
  }

  /** Ends the authorization with all its tokens. Only one caller receives the ended authorization. */
  public Optional<Authorization> end(AuditEvent.Context context, String realm, SessionId id, End cause) {
    Optional<Authorization> ended = stored(realm, id).flatMap(found -> store.end(found.id()));
    ended.ifPresent(
        gone ->
            audit.record(
                new AuditEvent.AuthorizationEnded(
                    context, gone.clientId(), gone.person().value(), gone.id().value(), cause.word())));
    return ended;
  }

  /** The person's valid authorizations, for the account page. */
  public List<Authorization> ofPerson(String realm, PersonId person) {
    return store.byPerson(realm, person).stream()
        .filter(this::isInSession)
        .toList();
  }

  /** Returns stored authorizations by ID, for administrators; also those that have ended with their session. */
  public List<Authorization> page(String realm, String after, int limit) {
    return store.page(realm, after, limit);
  }

  /**
   * Ends all authorizations that do not depend on a session (RFC 9700, section 4.14.2); the others end with their
   * sessions.
   */
  @Override
  public void changed(AuditEvent.Context context, PersonId person) {
    store.byPerson(context.realm(), person).stream()
        .filter(found -> found.endsWith().isEmpty())
        .forEach(found -> end(context, context.realm(), found.id(), End.PASSWORD_CHANGED));
  }

  /** Ends all of the person's authorizations and returns their number. */
  public int endAll(AuditEvent.Context context, String realm, PersonId person, End cause) {
    List<Authorization> all = store.byPerson(realm, person);
    all.forEach(found -> end(context, realm, found.id(), cause));
    return all.size();
  }

  /** Ends all of a client's authorizations for a person, because the person revoked the consent. */
  public void endOfClient(AuditEvent.Context context, String realm, PersonId person, String clientId, End cause) {
    store.byPerson(realm, person).stream()
        .filter(found -> found.clientId().equals(clientId))
        .forEach(found -> end(context, realm, found.id(), cause));
  }
}
