package dev.gatehouse.idp.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.SessionLife;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.IdpSession.Browser;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens, finds and ends IdpSessions; the browser's side is the cookie {@code gh_idp.{realm}}. What changes in the
 * directory counts within a minute, as long as the directory answers.
 */
public final class IdpSessions {

  /** The name of the store. */
  public static final String STORE = "idp-sessions";

  /** Half of the 60 s that a change may take to count: the directory may answer with what it knew 30 s ago. */
  static final Duration STALE_AFTER = Duration.ofSeconds(30);

  private static final Duration TOUCH_AT_MOST_EVERY = Duration.ofMinutes(1);
  private static final int USER_AGENT_LENGTH = 200;

  /** A new session and the Set-Cookie values that give it to the browser. */
  public record Opened(IdpSession session, List<String> cookies) {
    public Opened {
      cookies = List.copyOf(cookies);
    }

    EdgeReply on(EdgeReply reply) {
      EdgeReply all = reply;
      for (String cookie : cookies) {
        all = all.with("Set-Cookie", cookie);
      }
      return all;
    }
  }

  private final SessionStore<IdpSession> store;
  private final Directories directories;
  private final EndNotices notices;
  private final KnownDevices devices;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public IdpSessions(
      SessionStore<IdpSession> store,
      Directories directories,
      EndNotices notices,
      KnownDevices devices,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.directories = directories;
    this.notices = notices;
    this.devices = devices;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** The browser's token, whether or not a session answers to it. */
  public Optional<SessionToken> token(RealmRequest request) {
    return request.http().cookie(Cookies.name(request.origin(), cookie(request))).flatMap(SessionToken::parse);
  }

  /** The browser's session; counts as use, so that its idle end moves. */
  public Optional<IdpSession> current(RealmRequest request) {
    return token(request)
        .map(SessionToken::id)
        .flatMap(store::find)
        .filter(session -> session.realm().equals(request.realm().name()))
        // The realm may ask for more than it did when the session began.
        .filter(session -> AuthnDecisions.reachesFloor(request, session))
        .flatMap(session -> touch(session, request.idp().session()));
  }

  /**
   * Opens a session for a person who has just proved who they are. Always under a new token; the session that the
   * browser had before ends; its participants come along if it was the same person's, else they hear of it.
   *
   * @param passed the contracts, in order, at least one
   */
  public Opened open(RealmRequest request, Person person, List<AuthnEvent> passed) {
    return open(request, person, Optional.empty(), passed);
  }

  /** As the other one. @param proved the name, as typed, that a password was verified for in this request */
  Opened open(RealmRequest request, Person person, Optional<String> proved, List<AuthnEvent> passed) {
    Instant now = clock.instant();
    SessionToken token = SessionToken.create(random);
    SessionLife life = request.idp().session();
    succeeded(request, person, passed, token);
    Optional<IdpSession> before = token(request).flatMap(old -> replaced(request, old.id(), person));
    IdpSession session =
        new IdpSession(
            token.id(),
            before.map(IdpSession::first).orElse(token.id()),
            request.realm().name(),
            person.id(),
            now,
            now.plus(life.idle().compareTo(life.absolute()) < 0 ? life.idle() : life.absolute()),
            now.plus(life.absolute()),
            person,
            now,
            passed,
            browser(request),
            before.map(IdpSession::participants).orElse(List.of()));
    return opened(request, session, token, proved);
  }

  /**
   * The same session after one more contract was passed: under a new token, with its participants and its end (a step up
   * keeps nobody logged in for longer). Empty where it has ended meanwhile.
   */
  public Optional<Opened> raise(RealmRequest request, IdpSession session, AuthnEvent passed) {
    SessionToken token = SessionToken.create(random);
    succeeded(request, session.details(), session.raised(token.id(), passed).passed(), token);
    return end(request.context(), session.realm(), session.id(), EndCause.REPLACED)
        .map(before -> opened(request, before.raised(token.id(), passed), token, Optional.empty()));
  }

  private Opened opened(RealmRequest request, IdpSession session, SessionToken token, Optional<String> proved) {
    store.create(session);
    String cookie = Cookies.set(request.origin(), cookie(request), token.value());
    return new Opened(
        session,
        Stream.concat(Stream.of(cookie), devices.loggedIn(request, session.details(), proved).stream()).toList());
  }

  /** Ends the session that the browser had; returned if it was this person's. */
  private Optional<IdpSession> replaced(RealmRequest request, SessionId old, Person person) {
    String realm = request.realm().name();
    if (inRealm(realm, old).filter(session -> session.person().equals(person.id())).isPresent()) {
      return end(request.context(), realm, old, EndCause.REPLACED);
    }
    endAndTell(request.context(), realm, old, EndCause.REPLACED);
    return Optional.empty();
  }

  private void succeeded(RealmRequest request, Person person, List<AuthnEvent> passed, SessionToken token) {
    String contracts = passed.stream().map(event -> event.contract().word()).collect(Collectors.joining("+"));
    audit.record(
        new AuditEvent.LoginSucceeded(
            request.context(), person.id().value(), person.name(), contracts, token.id().value()));
  }

  /** Whether the session that began with this id has not ended. */
  public boolean stands(String realm, SessionId first) {
    return begunAs(realm, first).isPresent();
  }

  /** Counts as use of the session by a client that acts for the person; empty where it has ended. */
  public Optional<IdpSession> use(RealmRequest request, SessionId first) {
    return begunAs(request.realm().name(), first).flatMap(session -> touch(session, request.idp().session()));
  }

  /**
   * The session with the person as the directory has them now, if what we know is older than {@link #STALE_AFTER}. Empty
   * where the person is gone: the session has ended then. While the directory is down, what we know goes on counting.
   */
  public Optional<IdpSession> upToDate(RealmRequest request, IdpSession session) {
    Instant now = clock.instant();
    if (session.readAt().plus(STALE_AFTER).isAfter(now)) {
      return Optional.of(session);
    }
    Optional<Person> person;
    try {
      person = directories.of(request.realm()).find(session.person());
    } catch (DirectoryUnavailable e) {
      return Optional.of(session);
    }
    if (person.isEmpty()) {
      endAndTell(request.context(), session.realm(), session.id(), EndCause.PERSON_GONE);
      return Optional.empty();
    }
    return store.update(session.id(), s -> s.reread(person.get(), now));
  }

  /**
   * Records the participant durably; empty where the session has ended meanwhile. One that the session was found with is
   * recorded already: nothing is written for a partner that comes again.
   */
  public Optional<IdpSession> join(IdpSession session, Participant participant) {
    if (session.participants().contains(participant)) {
      return Optional.of(session);
    }
    return store.update(session.id(), s -> s.with(participant));
  }

  /** Ends it; given to exactly one caller, who lets the participants know, by the person's browser. */
  public Optional<IdpSession> end(AuditEvent.Context context, String realm, SessionId id, EndCause cause) {
    return inRealm(realm, id).flatMap(session -> store.end(id)).map(ended -> audited(context, ended, cause));
  }

  /** Ends it, and its participants hear of it from server to server: there is no browser to do it. */
  public Optional<IdpSession> endAndTell(AuditEvent.Context context, String realm, SessionId id, EndCause cause) {
    Optional<IdpSession> session = inRealm(realm, id);
    session.ifPresent(open -> notices.keep(open, cause));
    Optional<IdpSession> ended = session.flatMap(open -> store.end(id)).map(gone -> audited(context, gone, cause));
    ended.ifPresent(gone -> notices.send(gone, cause));
    return ended;
  }

  /**
   * Ends up to {@code most} sessions whose time is over, each once whoever asks; their participants will hear of it. Returns
   * how many it looked at.
   */
  public int endExpired(int most) {
    List<IdpSession> expired = store.expired(most);
    for (IdpSession session : expired) {
      notices.keep(session, EndCause.EXPIRED);
      AuditEvent.Context context = new AuditEvent.Context(session.realm(), "-", Optional.empty());
      store.endExpired(session.id()).ifPresent(gone -> audited(context, gone, EndCause.EXPIRED));
    }
    return expired.size();
  }

  private IdpSession audited(AuditEvent.Context context, IdpSession ended, EndCause cause) {
    audit.record(
        new AuditEvent.SessionEnded(context, "idp", ended.id().value(), ended.person().value(), cause.word()));
    return ended;
  }

  /** The key space holds every realm's sessions: one realm's administrator or page must not end another's. */
  private Optional<IdpSession> inRealm(String realm, SessionId id) {
    return store.find(id).filter(session -> session.realm().equals(realm));
  }

  public List<IdpSession> ofPerson(String realm, PersonId person) {
    return store.byPerson(realm, person);
  }

  /** Sessions in which that partner knows the person by that NameID. */
  public List<IdpSession> ofParticipant(String realm, String entityId, NameId nameId) {
    return store.byIndex(IdpSession.indexKey(realm, entityId, nameId));
  }

  /** The session that began with this id, whatever its id is now. */
  public Optional<IdpSession> begunAs(String realm, SessionId first) {
    return inRealm(realm, first)
        .or(() -> store.byIndex(IdpSession.firstKey(first)).stream().findFirst())
        .filter(session -> session.realm().equals(realm));
  }

  public List<IdpSession> page(String realm, String after, int most) {
    return store.page(realm, after, most);
  }

  /** The Set-Cookie value that takes the token from the browser. */
  public String removeCookie(RealmRequest request) {
    return Cookies.remove(request.origin(), cookie(request));
  }

  private Optional<IdpSession> touch(IdpSession session, SessionLife life) {
    Instant now = clock.instant();
    Duration step = life.idle().dividedBy(10);
    step = step.compareTo(TOUCH_AT_MOST_EVERY) < 0 ? step : TOUCH_AT_MOST_EVERY;
    Instant due = now.plus(life.idle()).minus(step);
    if (!session.expiresAt().isBefore(session.absoluteEnd()) || session.expiresAt().isAfter(due)) {
      return Optional.of(session);
    }
    return store.update(session.id(), s -> s.touched(now, life.idle()));
  }

  private static Browser browser(RealmRequest request) {
    String agent = request.http().headers().first("User-Agent").orElse("");
    String printable = agent.replaceAll("[^\\x20-\\x7e]", "");
    return new Browser(
        request.http().client().getHostAddress(),
        printable.length() > USER_AGENT_LENGTH ? printable.substring(0, USER_AGENT_LENGTH) : printable);
  }

  private static String cookie(RealmRequest request) {
    return "gh_idp." + request.realm().name();
  }
}
