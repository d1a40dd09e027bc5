package dev.gatehouse.idp.session;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.IdpSession.Browser;
import dev.gatehouse.idp.session.IdpSession.Participant;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens, finds and ends IdpSessions; the browser holds the cookie {@code gh_idp.{realm}}. Changes in the directory take
 * effect within a minute, as long as the directory answers.
 */
public final class IdpSessions {

  /** The name of the store. */
  public static final String STORE = "idp-sessions";

  /** Half of the 60 s within which a change must take effect: the directory may answer with data that are 30 s old. */
  static final Duration STALE_AFTER = Duration.ofSeconds(30);

  /**
   * A new session, and what the browser gets with it.
   *
   * @param cookies Set-Cookie values
   * @param invitation to register a key of its own
   * @param page makes a key; empty if the session needs none
   */
  public record Opened(IdpSession session, List<String> cookies, Optional<String> invitation, UnaryOperator<String> page) {
    public Opened {
      cookies = List.copyOf(cookies);
    }

    /** Redirects the browser to a path of the realm, by way of the page that makes a key. */
    public EdgeReply to(String next) {
      return on(EdgeReply.seeOther(by(next)));
    }

    /** Returns the address of the page that makes a key and goes on to a path of the realm; the path itself if none is needed. */
    public String by(String next) {
      return page.apply(next);
    }

    public EdgeReply on(EdgeReply reply) {
      EdgeReply all = reply;
      for (String cookie : cookies) {
        all = all.with("Set-Cookie", cookie);
      }
      return invitation.isPresent() ? all.with("Secure-Session-Registration", invitation.get()) : all;
    }
  }

  private final SessionStore<IdpSession> store;
  private final Directories directories;
  private final EndNotices notices;
  private final ExpiredSessions expired;
  private final KnownDevices knownDevices;
  private final SessionDevices devices;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public IdpSessions(
      SessionStore<IdpSession> store,
      Directories directories,
      EndNotices notices,
      KnownDevices knownDevices,
      SessionDevices devices,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.directories = directories;
    this.notices = notices;
    this.expired = new ExpiredSessions(store, notices, audit);
    this.knownDevices = knownDevices;
    this.devices = devices;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** The browser's token, whether or not it belongs to a session. */
  public Optional<SessionToken> token(RealmRequest request) {
    return request.http().cookie(Cookies.name(request.origin(), cookie(request))).flatMap(SessionToken::parse);
  }

  /**
   * The browser's session. Counts as a use, so that its idle end moves. Empty if the request is not of the device of the session's login,
   * where the realm enforces that.
   */
  public Optional<IdpSession> current(RealmRequest request) {
    return sent(request)
        .filter(session -> devices.counts(request, session))
        // The realm may demand more than it did when the session began.
        .filter(session -> AuthnDecisions.reachesFloor(request, session))
        .flatMap(session -> touch(session, request.idp().session()));
  }

  /** Returns whether the browser would have a session if it proved the key that our page made: {@link DeviceKeys#page} asks for it. */
  public boolean waitsForProof(RealmRequest request) {
    return SessionDevices.demandsKey(request) && sent(request).filter(session -> devices.waitsForProof(request, session)).isPresent();
  }

  /** The session of the cookie, whoever sent it and from where: only for what ends it, or binds it to a key. */
  public Optional<IdpSession> sent(RealmRequest request) {
    return token(request).flatMap(token -> find(request.realm().name(), token.id()));
  }

  /**
   * Changes the binding of the session's id to a key. Empty if the session has ended, or if {@code from} is no longer its binding: of two
   * keys only the first counts.
   */
  public Optional<IdpSession> bind(SessionId id, Optional<DeviceBinding> from, DeviceBinding to) {
    AtomicBoolean bound = new AtomicBoolean();
    return store
        .update(
            id,
            before -> {
              boolean same = before.device().binding(to.token()).equals(from);
              bound.set(same);
              return same ? before.on(before.device().with(to)) : before;
            })
        .filter(_ -> bound.get());
  }

  /**
   * Opens a session for a person who has just authenticated, always under a new token. The browser's previous session
   * ends. If it was the same person's, its participants are carried over; otherwise they are notified.
   *
   * @param passed the contracts, in order, at least one
   */
  public Opened open(RealmRequest request, Person person, List<AuthnEvent> passed) {
    return open(request, person, Optional.empty(), passed);
  }

  /**
   * Like {@link #open(RealmRequest, Person, List)}.
   *
   * @param proved the name, as typed, for which a password was verified in this request
   */
  public Opened open(RealmRequest request, Person person, Optional<String> proved, List<AuthnEvent> passed) {
    Instant now = clock.instant();
    SessionToken token = SessionToken.create(random);
    SessionId id = token.id();
    succeeded(request, person, passed, id);
    Optional<IdpSession> before = token(request).flatMap(old -> replaced(request, old.id(), person));
    IdpSession session =
        new IdpSession(
            id,
            before.map(IdpSession::first).orElse(id),
            request.realm().name(),
            Lifetime.beginning(now, request.idp().session()),
            PersonSnapshot.of(person, now),
            passed,
            Browser.of(request),
            before.map(IdpSession::participants).orElse(List.of()),
            devices.begin(request, id, now));
    return opened(request, session, token, proved);
  }

  /**
   * Raises the session after one more contract was passed: under a new token, with the same participants and the same
   * end (a step-up does not extend the session). Empty if it has ended meanwhile.
   */
  public Optional<Opened> raise(RealmRequest request, IdpSession session, AuthnEvent passed) {
    SessionToken token = SessionToken.create(random);
    SessionId id = token.id();
    // The key belongs to a token: the browser registers one for the new token, as after a login.
    SessionDevice device = devices.begin(request, id, clock.instant());
    succeeded(request, session.snapshot().details(), session.raised(id, passed, device).passed(), id);
    return end(request.context(), session.realm(), session.id(), EndCause.REPLACED)
        .map(before -> opened(request, before.raised(id, passed, device), token, Optional.empty()));
  }

  private Opened opened(RealmRequest request, IdpSession session, SessionToken token, Optional<String> proved) {
    store.create(session);
    String cookie = Cookies.set(request.origin(), cookie(request), token.value());
    return new Opened(
        session,
        Stream.concat(Stream.of(cookie), knownDevices.loggedIn(request, session.snapshot().details(), proved).stream()).toList(),
        devices.invitation(request, session),
        SessionDevices.demandsKey(request) ? next -> DeviceKeys.page(request, next) : UnaryOperator.identity());
  }

  /** Ends the browser's previous session. Returns it if it was this person's. */
  private Optional<IdpSession> replaced(RealmRequest request, SessionId old, Person person) {
    String realm = request.realm().name();
    if (find(realm, old).filter(session -> session.person().equals(person.id())).isPresent()) {
      return end(request.context(), realm, old, EndCause.REPLACED);
    }
    endAndNotify(request.context(), realm, old, EndCause.REPLACED);
    return Optional.empty();
  }

  private void succeeded(RealmRequest request, Person person, List<AuthnEvent> passed, SessionId session) {
    String contracts = passed.stream().map(event -> event.contract().word()).collect(Collectors.joining("+"));
    audit.record(
        new AuditEvent.LoginSucceeded(
            request.context(), person.id().value(), person.name(), contracts, session.value()));
  }

  /** Returns whether the session that began with this id has not ended. */
  public boolean isOpen(String realm, SessionId first) {
    return begunAs(realm, first).isPresent();
  }

  /** Returns whether the session is open and a {@link #use} would prolong it. */
  public boolean isUseDue(RealmRequest request, SessionId first) {
    return begunAs(request.realm().name(), first)
        .filter(session -> session.isTouchDue(clock.instant(), request.idp().session().idle()))
        .isPresent();
  }

  /** Counts as a use of the session by a client that acts for the person; empty if the session has ended. */
  public Optional<IdpSession> use(RealmRequest request, SessionId first) {
    return begunAs(request.realm().name(), first).flatMap(session -> touch(session, request.idp().session()));
  }

  /**
   * Returns the session with the person's current data from the directory, if the known data are older than
   * {@link #STALE_AFTER}. Empty if the person is gone or the account is disabled: the session has then ended. While the
   * directory is down, the known data remain valid.
   */
  public Optional<IdpSession> upToDate(RealmRequest request, IdpSession session) {
    Instant now = clock.instant();
    if (session.snapshot().readAt().plus(STALE_AFTER).isAfter(now)) {
      return Optional.of(session);
    }
    Optional<Person> person;
    try {
      person = directories.of(request.realm()).findStillEnabled(session.person());
    } catch (DirectoryUnavailable e) {
      return Optional.of(session);
    }
    if (person.isEmpty()) {
      endAndNotify(request.context(), session.realm(), session.id(), EndCause.PERSON_GONE);
      return Optional.empty();
    }
    return store.update(session.id(), s -> s.reread(person.get(), now));
  }

  /**
   * Records the participant durably; empty if the session has ended meanwhile. If the session already contains the
   * participant, nothing is written. If another call has recorded the same partner and name meanwhile, the returned session contains the
   * SessionIndex of that call. Tell the partner no other one.
   */
  public Optional<IdpSession> join(IdpSession session, Participant participant) {
    if (session.participants().contains(participant)) {
      return Optional.of(session);
    }
    return store.update(session.id(), s -> s.with(participant));
  }

  /** Ends the session. Exactly one caller receives it, and notifies the participants through the person's browser. */
  public Optional<IdpSession> end(AuditEvent.Context context, String realm, SessionId id, EndCause cause) {
    return find(realm, id).flatMap(session -> store.end(id)).map(ended -> audited(context, ended, cause));
  }

  /** Ends the session and notifies its participants from server to server, because there is no browser to do it. */
  public Optional<IdpSession> endAndNotify(AuditEvent.Context context, String realm, SessionId id, EndCause cause) {
    Optional<IdpSession> session = find(realm, id);
    session.ifPresent(open -> notices.keep(open, cause));
    Optional<IdpSession> ended = session.flatMap(open -> store.end(id)).map(gone -> audited(context, gone, cause));
    ended.ifPresent(gone -> notices.send(gone, cause));
    return ended;
  }

  /**
   * Ends up to {@code most} expired sessions, each exactly once, whichever node asks; their participants will be
   * notified. Returns the number of expired sessions that it found.
   */
  public int endExpired(int most) {
    return expired.end(most);
  }

  private IdpSession audited(AuditEvent.Context context, IdpSession ended, EndCause cause) {
    audit.record(cause.event(context, ended));
    return ended;
  }

  /**
   * The session with this id. The key space contains the sessions of all realms: an administrator or a page of one realm must not end a
   * session of another.
   */
  public Optional<IdpSession> find(String realm, SessionId id) {
    return store.find(id).filter(session -> session.realm().equals(realm));
  }

  public List<IdpSession> ofPerson(String realm, PersonId person) {
    return store.byPerson(realm, person);
  }

  /** The sessions in which this partner knows the person by this NameID. */
  public List<IdpSession> ofParticipant(String realm, String entityId, NameId nameId) {
    return store.byIndex(IdpSession.indexKey(realm, entityId, nameId));
  }

  /** The session that began with this id, whatever its id is now. */
  public Optional<IdpSession> begunAs(String realm, SessionId first) {
    return find(realm, first)
        .or(() -> store.byIndex(IdpSession.firstKey(first)).stream().findFirst())
        .filter(session -> session.realm().equals(realm));
  }

  public List<IdpSession> page(String realm, String after, int most) {
    return store.page(realm, after, most);
  }

  /** The Set-Cookie value that removes the token from the browser. */
  public String removeCookie(RealmRequest request) {
    return Cookies.remove(request.origin(), cookie(request));
  }

  private Optional<IdpSession> touch(IdpSession session, SessionTimeouts life) {
    Instant now = clock.instant();
    return session.isTouchDue(now, life.idle()) ? store.update(session.id(), s -> s.touched(now, life.idle())) : Optional.of(session);
  }

  private static String cookie(RealmRequest request) {
    return "gh_idp." + request.realm().name();
  }
}
