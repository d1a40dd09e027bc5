package dev.gatehouse.sp.acs;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.sp.check.Expectation;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.SpRealm;
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
 * Consumes a login and opens its AppSession: the pending request is taken, the assertion marked as used, the event
 * recorded, and only then a token made. The browser was recognised before.
 */
public final class Opening {

  /** A new session, and the token that its browser gets. */
  record Opened(SessionToken token, AppSession session) {}

  private final PendingRequests pendings;
  private final ReplayCheck replays;
  private final AppSessions sessions;
  private final LogoutMarks logouts;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;

  public Opening(
      PendingRequests pendings,
      ReplayCheck replays,
      AppSessions sessions,
      LogoutMarks logouts,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = pendings;
    this.replays = replays;
    this.sessions = sessions;
    this.logouts = logouts;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /** @param before the session that this browser has now; it ends */
  Reading<Opened> open(SpRealm realm, EdgeRequest request, Arrival arrival, Optional<AppSession> before) {
    return consume(realm, arrival)
        .<Reading<Opened>>map(Reading.Refused::new)
        .orElseGet(() -> opened(realm, request, arrival.assertion(), before));
  }

  private Reading<Opened> opened(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Optional<AppSession> before) {
    Opened opened = mint(realm, request, assertion, before);
    Optional<SamlRefusal> ended = loggedOut(realm, assertion);
    if (ended.isPresent()) {
      // The LogoutRequest came between the first look and the session; who sent it may not have seen the session.
      sessions.end(opened.session().id(), "partner", AuditEvent.Context.of(realm.name(), request.client()));
      return new Reading.Refused<>(ended.get());
    }
    return new Reading.Accepted<>(opened);
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

  private Optional<SamlRefusal> consume(SpRealm realm, Arrival arrival) {
    VerifiedAssertion assertion = arrival.assertion();
    if (assertion.sessionNotOnOrAfter().filter(this::isPast).isPresent()) {
      return Optional.of(new SamlRefusal(Reason.SESSION_EXPIRED, "SessionNotOnOrAfter came while it was parked"));
    }
    return loggedOut(realm, assertion)
        .or(() -> arrival.requestId().flatMap(this::answered))
        .or(
            () ->
                replays.mark(
                    realm.name(),
                    assertion.identityProvider(),
                    assertion.id(),
                    // A copy may have been parked until the last moment.
                    assertion.acceptableUntil().plus(Parking.LIFE)));
  }

  private Optional<SamlRefusal> answered(String requestId) {
    return switch (pendings.take(requestId)) {
      case Take.First<PendingRequest> first -> Optional.empty();
      case Take.Replayed<PendingRequest> replayed ->
          Optional.of(new SamlRefusal(Reason.REPLAYED, "the request was answered before"));
      case Take.Absent<PendingRequest> absent ->
          Optional.of(new SamlRefusal(Reason.IN_RESPONSE_TO, "the request is not pending any more"));
    };
  }

  private Opened mint(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Optional<AppSession> before) {
    SessionToken token = SessionToken.create(random);
    AppSession session = SubjectMapper.session(realm, assertion, token.id(), time.instant());
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
    return new Opened(token, session);
  }

  private boolean isPast(Instant end) {
    return !time.instant().isBefore(end.plus(Expectation.CLOCK_SKEW));
  }
}
