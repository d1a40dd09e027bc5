package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlStatus;
import dev.gatehouse.common.saml.SamlWriter.PostForm;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.authn.AuthnDecision;
import dev.gatehouse.idp.authn.AuthnDecisions;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.IdpSession;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Answers an accepted sign-on, whichever way it came: with a Response where the session allows it, by the login form where it
 * does not. Each AuthnRequest is answered once: its ID is marked before anything is issued.
 */
final class SignOnAnswer {

  /** As long as a request may still be taken up: from its oldest IssueInstant to the end of its time on the login page. */
  private static final Duration REPLAY_MARK =
      MessageFreshnessCheck.OLDEST.plus(PendingSignOns.LIFE).plus(Duration.ofMinutes(5));

  private static final SamlStatus NO_AUTHN_CONTEXT = SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_AUTHN_CONTEXT);

  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final PendingSignOns pending;
  private final SpPartners partners;
  private final NameIds nameIds;
  private final SubjectCheck subjectCheck;
  private final ReplayCache replay;
  private final ResponseIssue issue;
  private final Pages pages;
  private final Refusals refusals;
  private final InstantSource clock;

  SignOnAnswer(
      IdpSessions sessions,
      BrowserBinding browsers,
      PendingSignOns pending,
      SpPartners partners,
      NameIds nameIds,
      ReplayCache replay,
      ResponseIssue issue,
      Pages pages,
      Refusals refusals,
      InstantSource clock) {
    this.sessions = sessions;
    this.browsers = browsers;
    this.pending = pending;
    this.partners = partners;
    this.nameIds = nameIds;
    this.subjectCheck = new SubjectCheck(nameIds);
    this.replay = replay;
    this.issue = issue;
    this.pages = pages;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** A sign-on that has just arrived. */
  EdgeReply begin(RealmRequest request, SignOn signOn) {
    // ForceAuthn: what was there before does not count, not even a login of this very instant.
    Optional<IdpSession> session = signOn.forceAuthn() ? Optional.empty() : sessions.current(request);
    return switch (AuthnDecisions.of(request, signOn.wanted(), session)) {
      case AuthnDecision.Satisfied satisfied -> assertion(request, signOn, session.orElseThrow());
      case AuthnDecision.StepUp stepUp -> login(request, signOn);
      case AuthnDecision.Login login -> login(request, signOn);
      case AuthnDecision.Never never -> status(request, signOn, NO_AUTHN_CONTEXT);
    };
  }

  /** A sign-on that waited for a login. @param session empty where no login can answer it any more */
  EdgeReply finish(RealmRequest request, SignOn signOn, Optional<IdpSession> session) {
    return session
        .map(present -> assertion(request, signOn, present))
        .orElseGet(() -> status(request, signOn, NO_AUTHN_CONTEXT));
  }

  private EdgeReply assertion(RealmRequest request, SignOn signOn, IdpSession session) {
    return switch (partners.find(signOn.realm(), signOn.partner())) {
      case Reading.Refused<SpPartners.Sp>(var refusal) ->
          refusals.message(request, signOn.partner(), "AuthnRequest", refusal);
      case Reading.Accepted<SpPartners.Sp>(var sp) -> {
        if (!ConsumerChoice.isListed(signOn.consumer(), sp.role())) {
          yield refused(request, signOn, SamlRefusal.Reason.ACS_NOT_LISTED, "metadata no longer lists it");
        }
        Optional<IdpSession> now = sessions.upToDate(request, session);
        if (now.isEmpty()) {
          yield login(request, signOn);
        }
        yield isReplayed(signOn) ? replayed(request, signOn) : about(request, signOn, sp, now.get());
      }
    };
  }

  EdgeReply status(RealmRequest request, SignOn signOn, SamlStatus status) {
    return isReplayed(signOn) ? replayed(request, signOn) : submit(request, issue.status(request, signOn, status));
  }

  /** To the login page, which knows what is missing; a passive request hears that it takes a person. */
  EdgeReply login(RealmRequest request, SignOn signOn) {
    if (signOn.isPassive()) {
      return status(request, signOn, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
    }
    var browser = browsers.findOrCreate(request);
    var waiting = new PendingSignOn(signOn, Optional.of(BrowserBinding.hash(browser)));
    return pending
        .put(request, waiting)
        .map(key -> EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key))))
        .map(reply -> browsers.keep(request, browser, reply))
        .orElseGet(() -> refusals.page(request, 429, "too-many-tries", "TOO_MANY_PENDING"));
  }

  private EdgeReply about(RealmRequest request, SignOn signOn, SpPartners.Sp sp, IdpSession session) {
    if (!(AuthnDecisions.of(request, signOn.wanted(), Optional.of(session)) instanceof AuthnDecision.Satisfied login)) {
      return answered(request, signOn, NO_AUTHN_CONTEXT);
    }
    Optional<SamlStatus> otherPerson = subjectCheck.check(signOn, session, request.entityId());
    if (otherPerson.isPresent()) {
      return answered(request, signOn, otherPerson.get());
    }
    Optional<NameId> nameId =
        nameIds.of(session, request.entityId(), signOn.partner(), signOn.nameIdFormat(), signOn.mayCreate());
    if (nameId.isEmpty()) {
      return answered(request, signOn, SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
    }
    Participant participant = issue.participant(session, signOn.partner(), nameId.get());
    // Durable before the Response leaves: a logout must reach whoever was told of the person.
    return sessions
        .join(session, participant)
        .map(joined -> submit(request, issue.assertion(request, signOn, sp.config(), joined, participant, login)))
        .orElseGet(() -> refused(request, signOn, SamlRefusal.Reason.SESSION_EXPIRED, "it ended meanwhile"));
  }

  private EdgeReply answered(RealmRequest request, SignOn signOn, SamlStatus status) {
    return submit(request, issue.status(request, signOn, status));
  }

  private boolean isReplayed(SignOn signOn) {
    return signOn
        .requestId()
        .filter(
            id ->
                !replay.firstSeen(
                    new ReplayKey(signOn.realm(), signOn.partner(), id), clock.instant().plus(REPLAY_MARK)))
        .isPresent();
  }

  private EdgeReply replayed(RealmRequest request, SignOn signOn) {
    return refused(request, signOn, SamlRefusal.Reason.REPLAYED, "this AuthnRequest was answered before");
  }

  private EdgeReply refused(RealmRequest request, SignOn signOn, SamlRefusal.Reason reason, String detail) {
    return refusals.message(request, signOn.partner(), "AuthnRequest", new SamlRefusal(reason, detail));
  }

  private EdgeReply submit(RealmRequest request, PostForm form) {
    return pages.autoSubmit(request.http(), Optional.of(request.realm()), form);
  }
}
