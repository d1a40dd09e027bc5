package dev.gatehouse.sp.session;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.session.KnownSessions.Known;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Opens, finds, touches and ends AppSessions. All changes of this node go through this class, so that what is known in memory never
 * disagrees with the store.
 */
public final class AppSessions implements AppSessionCache {

  /** A session's idle end moves after a tenth of its idle time or after this time, whichever is shorter. */
  private static final Duration MAX_BETWEEN_TOUCHES = Duration.ofMinutes(1);

  /** A session has no more tokens than that if they are bound to devices: none of its bindings may be forgotten. */
  private static final int MAX_BINDINGS = 64;

  private final SessionStore<AppSession> sessions;
  private final SessionStore<AppAlias> aliases;
  private final SessionPasswords passwords;
  private final Realms realms;
  private final AuditLog audit;
  private final InstantSource time;
  private final KnownSessions known;

  public AppSessions(Stores stores, Realms realms, AuditLog audit, InstantSource time) {
    this.sessions = stores.sessions("app", new AppSessionCodec());
    this.aliases = stores.sessions("app-alias", new AppAlias.Codec());
    this.passwords = new SessionPasswords(stores);
    this.realms = realms;
    this.audit = audit;
    this.time = time;
    this.known = new KnownSessions(sessions, aliases, this::opened);
  }

  @Override
  public Peek peek(String realm, SessionId id) {
    Known found = known.peek(id);
    if (found instanceof Known.Alias(SessionId target)) {
      found = known.peek(target);
    }
    return switch (found) {
      case null -> new Peek.Miss();
      case Known.Alias alias -> new Peek.None();
      case Known.Nothing nothing -> new Peek.None();
      case Known.Open(AppSession session, Instant touchDue) -> {
        Instant now = time.instant();
        if (!isLive(session, realm, now)) {
          yield new Peek.None();
        }
        yield now.isBefore(touchDue) ? new Peek.Hit(session) : new Peek.Miss();
      }
    };
  }

  @Override
  public Optional<AppSession> load(String realm, SessionId id) {
    Instant now = time.instant();
    return live(realm, id, now)
        .flatMap(open -> now.isBefore(open.touchDue()) ? Optional.of(open.session()) : known.touch(open, now, this::touched));
  }

  @Override
  public Optional<AppSession> look(String realm, SessionId id) {
    return live(realm, id, time.instant()).map(Known.Open::session);
  }

  private Optional<Known.Open> live(String realm, SessionId id, Instant now) {
    Known found = known.get(id);
    if (found instanceof Known.Alias(SessionId target)) {
      found = known.get(target);
    }
    return found instanceof Known.Open open && isLive(open.session(), realm, now) ? Optional.of(open) : Optional.empty();
  }

  /** Opens a session. Its id must belong to a token that was created just now. */
  public void open(AppSession session) {
    sessions.create(session);
    known.created(session.id());
  }

  /**
   * Binds the session's token to a key, or marks it as one whose browser has none. Returns nothing if the session has ended, or if
   * {@code from} is no longer its binding: of two keys only the first counts.
   */
  public Optional<AppSession> bind(SessionId session, Optional<DeviceBinding> from, DeviceBinding to) {
    AtomicBoolean bound = new AtomicBoolean();
    Optional<AppSession> changed =
        sessions.update(
            session,
            before -> {
              boolean same = before.device().binding(to.token()).equals(from);
              bound.set(same);
              return same ? before.on(before.device().with(to)) : before;
            });
    known.changed(session);
    return changed.filter(_ -> bound.get());
  }

  /** Gives the session the account, if it has another one of the same person. Returns nothing if the session has ended. */
  Optional<AppSession> change(SessionId session, LocalAccount account) {
    Optional<AppSession> changed =
        sessions.update(session, before -> before.account().equals(account) ? before : before.with(account));
    known.changed(session);
    return changed;
  }

  /** Adds a further token for the session. Returns false if the session has ended meanwhile, or has too many tokens. */
  public boolean alias(SessionId session, SessionToken further) {
    Optional<AppSession> target = sessions.find(session).filter(s -> s.device().bindings().size() < MAX_BINDINGS);
    target.ifPresent(
        s ->
            aliases.create(
                new AppAlias(further.id(), s.id(), s.realm(), s.person(), time.instant(), s.lifetime().absoluteEnd())));
    // A caller that ended the session in between may not have seen the alias. The alias would then refer to nothing and
    // must be removed.
    if (target.isPresent() && sessions.find(session).isEmpty()) {
      aliases.end(further.id());
      return false;
    }
    target
        .filter(s -> !s.device().equals(SessionDevice.NONE))
        .ifPresent(s -> bind(s.id(), Optional.empty(), DeviceBinding.begin(further.id(), time.instant())));
    return target.isPresent();
  }

  /** Ends one further token; the session stays open. */
  public void endAlias(SessionToken further) {
    aliases
        .end(further.id())
        .ifPresent(
            alias -> {
              known.ended(further.id());
              unbind(alias);
            });
  }

  private void unbind(AppAlias alias) {
    if (sessions.find(alias.session()).flatMap(session -> session.device().binding(alias.id())).isPresent()) {
      sessions.update(alias.session(), before -> before.on(before.device().without(alias.id())));
      known.changed(alias.session());
    }
  }

  /**
   * Ends the session and its aliases. Only one caller receives the ended session.
   *
   * @param cause for the audit log, see {@link AuditEvent.SessionEnded}
   */
  public Optional<AppSession> end(SessionId id, String cause, AuditEvent.Context context) {
    Optional<AppSession> ended = sessions.end(id);
    known.ended(id);
    try {
      endFurther(id);
    } catch (StoreUnavailable e) {
      // What belongs to an ended session opens nothing; it goes when it expires.
      if (ended.isEmpty()) {
        throw e;
      }
    }
    ended.ifPresent(
        session ->
            audit.record(
                new AuditEvent.SessionEnded(context, "app", id.value(), session.person().value(), cause)));
    return ended;
  }

  private void endFurther(SessionId id) {
    passwords.end(id);
    for (AppAlias alias : aliases.byIndex(AppAlias.indexKey(id))) {
      aliases.end(alias.id());
      known.ended(alias.id());
    }
  }

  /** Ends the sessions that the service provider opened itself for this person. */
  public void endLocal(String realm, PersonId person, String cause) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    realms
        .find(realm)
        .flatMap(Realm::sp)
        .ifPresent(
            sp -> ofPerson(realm, person, sp.entityId()).forEach(session -> end(session.id(), cause, context)));
  }

  /** The sessions that logins at this identity provider opened for the person, by whatever names. */
  public List<AppSession> ofPerson(String realm, PersonId person, String identityProvider) {
    return sessions.byPerson(realm, person).stream()
        .filter(session -> session.login().identityProvider().equals(identityProvider))
        .toList();
  }

  /**
   * The sessions that a LogoutRequest names (SAML Core 3.7.1): same Issuer and NameID, and one of the SessionIndexes if
   * it lists any. Qualifiers must not contradict each other.
   */
  public List<AppSession> named(String realm, String issuer, NameId nameId, List<String> sessionIndexes) {
    return sessions.byIndex(AppSession.indexKey(realm, issuer, nameId)).stream()
        .filter(session -> isMeant(session, nameId, sessionIndexes))
        .toList();
  }

  /** Like {@link #named}, for the sessions of an account, with whichever names of that format they were opened. */
  public List<AppSession> ofAccount(
      String realm, PersonId account, String issuer, NameId nameId, List<String> sessionIndexes) {
    return ofPerson(realm, account, issuer).stream()
        .filter(session -> session.login().nameId().format().equals(nameId.format()))
        .filter(session -> isMeant(session, nameId, sessionIndexes))
        .toList();
  }

  private static boolean isMeant(AppSession session, NameId nameId, List<String> sessionIndexes) {
    NameId own = session.login().nameId();
    return agree(own.nameQualifier(), nameId.nameQualifier())
        && agree(own.spNameQualifier(), nameId.spNameQualifier())
        && (sessionIndexes.isEmpty() || session.login().sessionIndex().filter(sessionIndexes::contains).isPresent());
  }

  /** The sessions that an OpenID provider names by {@code sid}, by {@code sub}, or by both together. */
  public List<AppSession> ofOpenId(String realm, String issuer, Optional<String> subject, Optional<String> sid) {
    String key =
        sid.map(id -> AppSession.openIdKey(realm, issuer, id))
            .orElseGet(() -> AppSession.indexKey(realm, issuer, openIdSubject(subject.orElseThrow())));
    return sessions.byIndex(key).stream()
        .filter(session -> session.isOpenId() && session.login().identityProvider().equals(issuer))
        .filter(session -> subject.filter(sub -> !sub.equals(session.login().nameId().value())).isEmpty())
        .toList();
  }

  /** Converts an OpenID provider's {@code sub} to a NameID. */
  public static NameId openIdSubject(String subject) {
    return NameId.of(subject, AppSession.OPENID_SUBJECT);
  }

  /** The login passwords, which end with their sessions. */
  public SessionPasswords passwords() {
    return passwords;
  }

  SessionStore<AppSession> store() {
    return sessions;
  }

  private static boolean agree(Optional<String> a, Optional<String> b) {
    return a.isEmpty() || b.isEmpty() || a.equals(b);
  }

  private AppSession touched(AppSession session) {
    return session.touched(time.instant(), idle(session));
  }

  private Known opened(AppSession session) {
    if (!session.expiresAt().isBefore(session.lifetime().absoluteEnd())) {
      return new Known.Open(session, Instant.MAX);
    }
    Duration idle = idle(session);
    Instant lastTouch = session.expiresAt().minus(idle);
    Duration tenth = idle.dividedBy(10);
    return new Known.Open(
        session, lastTouch.plus(tenth.compareTo(MAX_BETWEEN_TOUCHES) < 0 ? tenth : MAX_BETWEEN_TOUCHES));
  }

  private Duration idle(AppSession session) {
    return realms
        .find(session.realm())
        .flatMap(Realm::sp)
        .map(sp -> sp.session())
        .map(SessionTimeouts::idle)
        .orElse(Duration.ZERO);
  }

  private static boolean isLive(AppSession session, String realm, Instant now) {
    return session.realm().equals(realm) && now.isBefore(session.expiresAt());
  }
}
