package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.PasswordNotice;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Authorizations that stand. One that began in a session stands as long as the session does: that is looked up at each use, so
 * that whoever ends sessions has nothing to tell anybody. Ended is ended, also after a restart.
 */
public final class Authorizations implements PasswordNotice {

  /** As long as what is known of a person counts; as for sessions. */
  private static final Duration STALE_AFTER = Duration.ofSeconds(30);

  /** Why one ends, for the audit log. */
  public enum End {
    /** RFC 7009, by its client. */
    REVOKED("revoked"),
    /** A code or a refresh token came twice. */
    REPLAYED("replayed"),
    /** The person ended it. */
    ACCOUNT("account"),
    PASSWORD_CHANGED("password changed"),
    /** The directory does not know the person any more. */
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

  /** Makes it real; durable when it returns. */
  public void begin(Authorization authorization) {
    store.create(authorization);
  }

  /** The one that stands. */
  public Optional<Authorization> find(RealmRequest request, SessionId id) {
    String realm = request.realm().name();
    return store
        .find(id)
        .filter(found -> found.realm().equals(realm))
        .filter(this::isInSession);
  }

  /** Whether the session that it ends with has not ended, if there is one. */
  boolean isInSession(Authorization authorization) {
    return authorization.endsWith().map(session -> sessions.stands(authorization.realm(), session)).orElse(true);
  }

  /** Changes it, alone; empty where it has ended. */
  Optional<Authorization> update(SessionId id, UnaryOperator<Authorization> change) {
    return store.update(id, change);
  }

  /**
   * With the person as the directory has them now, where what is known is older than half a minute; empty where they are
   * gone. While the directory is down, what is known goes on counting. Nothing is stored.
   */
  public Optional<Authorization> upToDate(RealmRequest request, Authorization authorization) {
    Instant now = clock.instant();
    if (authorization.readAt().plus(STALE_AFTER).isAfter(now)) {
      return Optional.of(authorization);
    }
    Optional<Person> person;
    try {
      person = directories.of(request.realm()).find(authorization.person());
    } catch (DirectoryUnavailable e) {
      return Optional.of(authorization);
    }
    return person.map(found -> authorization.reread(found, now));
  }

  /** As {@link #upToDate}, of one that is stored: what was read is kept, and it ends where the person is gone. */
  public Optional<Authorization> reread(RealmRequest request, Authorization authorization) {
    Optional<Authorization> current = upToDate(request, authorization);
    if (current.isEmpty()) {
      end(request.context(), authorization.realm(), authorization.id(), End.PERSON_GONE);
      return Optional.empty();
    }
    Authorization known = current.get();
    return known.readAt().equals(authorization.readAt())
        ? current
        : store.update(known.id(), stored -> stored.reread(known.details(), known.readAt()));
  }

  /** Ends it with every token that came of it; given to exactly one caller. */
  public Optional<Authorization> end(AuditEvent.Context context, String realm, SessionId id, End cause) {
    Optional<Authorization> ended =
        store.find(id).filter(found -> found.realm().equals(realm)).flatMap(found -> store.end(found.id()));
    ended.ifPresent(
        gone ->
            audit.record(
                new AuditEvent.AuthorizationEnded(
                    context, gone.clientId(), gone.person().value(), gone.id().value(), cause.word())));
    return ended;
  }

  /** Those that stand, for the account page. */
  public List<Authorization> ofPerson(String realm, PersonId person) {
    return store.byPerson(realm, person).stream()
        .filter(this::isInSession)
        .toList();
  }

  /** Ends all that outlive every session (RFC 9700, section 4.14.2); the others end with theirs. */
  @Override
  public void changed(RealmRequest request, Person person) {
    String realm = request.realm().name();
    store.byPerson(realm, person.id()).stream()
        .filter(found -> found.endsWith().isEmpty())
        .forEach(found -> end(request.context(), realm, found.id(), End.PASSWORD_CHANGED));
  }

  /** Ends all of a person's that a client has: the person took back what they agreed to. */
  public void endOfClient(AuditEvent.Context context, String realm, PersonId person, String clientId, End cause) {
    store.byPerson(realm, person).stream()
        .filter(found -> found.clientId().equals(clientId))
        .forEach(found -> end(context, realm, found.id(), cause));
  }
}
