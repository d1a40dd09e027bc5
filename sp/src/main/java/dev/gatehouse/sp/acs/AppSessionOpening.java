package dev.gatehouse.sp.acs;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.check.ResponseExpectation;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.Linker;
import dev.gatehouse.sp.link.LocalAccount;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Consumes a verified login and opens its AppSession. The steps in order: mark the pending request as answered, mark
 * the assertion as used, record the audit event, open the session. The caller has already matched the login to its
 * browser.
 */
public final class AppSessionOpening {

  /** A new session and the token for its browser. */
  record Opened(SessionToken token, AppSession session) {

    EdgeReply rememberedBy(EdgeReply reply, EdgeRequest request) {
      return reply.with("Set-Cookie", Cookies.set(request.origin(), SpPaths.COOKIE, token.value()));
    }
  }

  private final PendingRequests pendings;
  private final ReplayCheck replays;
  private final Linker linker;
  private final AppSessions sessions;
  private final AssertedPassword password;
  private final LogoutMarks logouts;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;

  public AppSessionOpening(
      PendingRequests pendings,
      ReplayCheck replays,
      Linker linker,
      AppSessions sessions,
      AssertedPassword password,
      LogoutMarks logouts,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = pendings;
    this.replays = replays;
    this.linker = linker;
    this.sessions = sessions;
    this.password = password;
    this.logouts = logouts;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /**
   * Consumes the login, links the account if necessary, and opens its session.
   *
   * @param linkFirst whether the account was matched by an attribute and is not linked yet
   * @param before the session that this browser has now; this method ends it
   */
  Result<Opened, SamlRefusal> open(
      SpRealm realm,
      EdgeRequest request,
      RecognisedLogin login,
      LocalAccount account,
      boolean linkFirst,
      Optional<AppSession> before) {
    VerifiedAssertion assertion = login.assertion();
    return consume(realm, login)
        .or(() -> linkFirst ? link(realm, request, assertion, account, "attribute") : Optional.empty())
        .<Result<Opened, SamlRefusal>>map(Result.Refused::new)
        .orElseGet(() -> opened(realm, request, assertion, account, before));
  }

  private Result<Opened, SamlRefusal> opened(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account,
      Optional<AppSession> before) {
    Opened opened = mint(realm, request, assertion, account, before);
    Optional<SamlRefusal> ended = loggedOut(realm, assertion);
    if (ended.isPresent()) {
      // The LogoutRequest came between the first check and the creation of the session; its handler may not have seen
      // the session.
      sessions.end(opened.session().id(), "partner", AuditEvent.Context.of(realm.name(), request.client()));
      return new Result.Refused<>(ended.get());
    }
    return new Result.Accepted<>(opened);
  }

  private Optional<SamlRefusal> loggedOut(SpRealm realm, VerifiedAssertion assertion) {
    return logouts.cover(
            realm.name(),
            assertion.identityProvider(),
            assertion.nameId(),
            assertion.sessionIndex(),
            assertion.issueInstant())
        ? Optional.of(new SamlRefusal(Reason.LOGGED_OUT, "a LogoutRequest came before it was used"))
        : Optional.empty();
  }

  /** Links the account that the person has just proved, and opens its session. The login was consumed before. */
  Result<Opened, SamlRefusal> openProved(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account,
      Optional<AppSession> before) {
    return ended(realm, assertion)
        .or(() -> link(realm, request, assertion, account, "login"))
        .<Result<Opened, SamlRefusal>>map(Result.Refused::new)
        .orElseGet(() -> opened(realm, request, assertion, account, before));
  }

  private Optional<SamlRefusal> link(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, LocalAccount account, String by) {
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    return linker.link(context, assertion.identityProvider(), assertion.nameId().value(), account, by);
  }

  /** Checks whether the identity provider's session has ended meanwhile, by time or by a LogoutRequest. */
  private Optional<SamlRefusal> ended(SpRealm realm, VerifiedAssertion assertion) {
    Optional<SamlRefusal> expired = expired(assertion);
    return expired.isPresent() ? expired : loggedOut(realm, assertion);
  }

  private Optional<SamlRefusal> expired(VerifiedAssertion assertion) {
    return assertion.sessionNotOnOrAfter().filter(this::isPast).isPresent()
        ? Optional.of(new SamlRefusal(Reason.SESSION_EXPIRED, "SessionNotOnOrAfter came while it waited"))
        : Optional.empty();
  }

  /**
   * Consumes the login, so that it cannot open another session.
   *
   * @return the reason why it cannot be consumed, for example because it was consumed before; empty on success
   */
  Optional<SamlRefusal> consume(SpRealm realm, RecognisedLogin login) {
    VerifiedAssertion assertion = login.assertion();
    return ended(realm, assertion)
        .or(() -> login.pending().flatMap(this::answered))
        .or(
            () ->
                replays.mark(
                    realm.name(),
                    assertion.identityProvider(),
                    assertion.id(),
                    // A copy may have been parked until the last moment.
                    assertion.acceptableUntil().plus(ParkedLogins.LIFE)));
  }

  private Optional<SamlRefusal> answered(PendingRequest pending) {
    return pendings.answer(pending)
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.REPLAYED, "the request was answered before"));
  }

  private Opened mint(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account,
      Optional<AppSession> before) {
    SessionToken token = SessionToken.create(random);
    AppSession session = SessionMaker.session(realm, assertion, account, token.id(), time.instant());
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    audit.record(
        new AuditEvent.AssertionAccepted(
            context,
            assertion.identityProvider(),
            assertion.id(),
            session.person().value(),
            session.id().value()));
    before.ifPresent(old -> sessions.end(old.id(), "replaced", context));
    sessions.open(session);
    password.opened(assertion).ifPresent(typed -> sessions.passwords().keep(session, token, typed, random));
    return new Opened(token, session);
  }

  private boolean isPast(Instant end) {
    return !time.instant().isBefore(end.plus(ResponseExpectation.CLOCK_SKEW));
  }
}
