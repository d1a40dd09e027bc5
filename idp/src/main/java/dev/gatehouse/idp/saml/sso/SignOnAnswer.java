package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.authn.PasswordRelease;
import dev.gatehouse.idp.consent.ConsentCheck;
import dev.gatehouse.idp.consent.ConsentDecision;
import dev.gatehouse.idp.consent.ConsentEndpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers an accepted sign-on: with a Response if session and consent allow it, with a page if a person must do
 * something first. Each time everything is decided anew; only the request is stored.
 */
final class SignOnAnswer {

  private static final SamlStatus NO_AUTHN_CONTEXT = SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_AUTHN_CONTEXT);
  private static final SamlStatus NO_NAME_ID = SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY);

  private final IdpSessions sessions;
  private final NameIds nameIds;
  private final SubjectCheck subjectCheck;
  private final ConsentCheck consentCheck;
  private final SamlPendingLogin waiting;
  private final PasswordRelease release;
  private final ResponseIssue issue;
  private final ResponseDelivery delivery;
  private final ErrorResponseRate errorRate;

  SignOnAnswer(
      IdpSessions sessions,
      NameIds nameIds,
      ConsentCheck consentCheck,
      SamlPendingLogin waiting,
      PasswordRelease release,
      ResponseIssue issue,
      ResponseDelivery delivery,
      ErrorResponseRate errorRate) {
    this.sessions = sessions;
    this.nameIds = nameIds;
    this.subjectCheck = new SubjectCheck(nameIds);
    this.consentCheck = consentCheck;
    this.waiting = waiting;
    this.release = release;
    this.issue = issue;
    this.delivery = delivery;
    this.errorRate = errorRate;
  }

  /** @param key the key under which it already waits; empty if it has just arrived */
  EdgeReply answer(RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key) {
    if (!partner.consumers().lists(signOn.delivery().consumer())) {
      return waiting.refused(request, signOn, SamlRefusal.Reason.ACS_NOT_LISTED, "metadata no longer lists it");
    }
    // ForceAuthn: an existing session does not count, even if its login was just now.
    Optional<IdpSession> session =
        signOn.authentication().forceAuthn() && key.isEmpty()
            ? Optional.empty()
            : sessions.current(request).flatMap(present -> sessions.upToDate(request, present));
    return switch (AuthnDecisions.of(request, partner.wanted(signOn), session)) {
      case AuthnDecision.Satisfied login -> about(request, signOn, partner, key, session.orElseThrow(), login);
      case AuthnDecision.StepUp stepUp -> login(request, signOn, partner, key);
      case AuthnDecision.Login login -> login(request, signOn, partner, key);
      case AuthnDecision.Never never -> status(request, signOn, partner, key, NO_AUTHN_CONTEXT);
    };
  }

  /**
   * Ends the sign-on with only a status. If nobody is logged in, the status contains no personal data, so no mark is
   * written.
   */
  EdgeReply status(
      RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key, SamlStatus status) {
    boolean isNobody = sessions.current(request).isEmpty();
    Optional<EdgeReply> no =
        isNobody ? errorRate.refused(request) : waiting.claim(request, signOn, key);
    return no.orElseGet(() -> send(request, signOn, partner, key, issue.status(request, signOn, status)));
  }

  private EdgeReply login(RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key) {
    if (signOn.authentication().isPassive() && key.isEmpty() && sessions.waitsForProof(request)) {
      return waiting.at(request, signOn, key, waits -> DeviceKeys.passivePage(request, SamlPendingSignOns.resume(request, waits)));
    }
    return signOn.authentication().isPassive()
        ? noPassive(request, signOn, partner, key)
        : waiting.login(request, signOn, partner, key);
  }

  private EdgeReply noPassive(RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key) {
    return status(request, signOn, partner, key, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
  }

  private EdgeReply about(
      RealmRequest request,
      SignOn signOn,
      SsoPartner partner,
      Optional<String> key,
      IdpSession session,
      AuthnDecision.Satisfied login) {
    Optional<SamlStatus> no =
        subjectCheck
            .check(signOn, partner.sp().config(), session, request.entityId())
            .or(() -> encryptionMissing(signOn, partner));
    if (no.isPresent()) {
      return status(request, signOn, partner, key, no.get());
    }
    List<SamlAttribute> released = partner.release().of(session.snapshot().details(), partner.asked(signOn));
    return switch (consent(signOn, partner, session, released)) {
      case ConsentDecision.Missing missing when signOn.authentication().isPassive() -> noPassive(request, signOn, partner, key);
      case ConsentDecision.Missing missing ->
          waiting.at(request, signOn, key, waits -> ConsentEndpoint.address(request, waits));
      case ConsentDecision.NotNeeded notNeeded ->
          assertion(request, signOn, partner, key, session, login, released, Optional.empty());
      case ConsentDecision.Given(var since) -> {
        boolean now = !since.isBefore(signOn.receivedAt());
        String consent = now ? Response.CONSENT_NOW : Response.CONSENT_BEFORE;
        yield assertion(request, signOn, partner, key, session, login, released, Optional.of(consent));
      }
    };
  }

  private ConsentDecision consent(SignOn signOn, SsoPartner partner, IdpSession session, List<SamlAttribute> released) {
    return consentCheck.decide(
        signOn.realm(), partner.sp().config(), session.person(), () -> ReleasedItems.names(signOn.nameId().format(), released));
  }

  /** Rather refuse than send in plain text what the administrator wants encrypted. */
  private static Optional<SamlStatus> encryptionMissing(SignOn signOn, SsoPartner partner) {
    return partner.encryption(signOn) instanceof Encryption.Choice.NoKey
        ? Optional.of(
            SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED)
                .because("metadata lists no key that we can encrypt to"))
        : Optional.empty();
  }

  private EdgeReply assertion(
      RealmRequest request,
      SignOn signOn,
      SsoPartner partner,
      Optional<String> key,
      IdpSession session,
      AuthnDecision.Satisfied login,
      List<SamlAttribute> released,
      Optional<String> consent) {
    Optional<EdgeReply> gone = waiting.claim(request, signOn, key);
    if (gone.isPresent()) {
      return gone.get();
    }
    RequestedNameId wanted = signOn.nameId();
    Optional<NameId> nameId =
        nameIds.of(session, request.entityId(), signOn.partner(), wanted.format(), wanted.mayCreate());
    if (nameId.isEmpty()) {
      return send(request, signOn, partner, key, issue.status(request, signOn, NO_NAME_ID));
    }
    Participant participant = issue.participant(session, signOn.partner(), nameId.get());
    // Stored before the Response leaves: a logout must reach every partner that received data about the person.
    return sessions
        .join(session, participant)
        .map(
            joined -> {
              // Of two sign-ons at the same time the session keeps one SessionIndex: a LogoutRequest by the other one would not find it.
              Participant stored = joined.participant(participant.entityId(), participant.nameId()).orElseThrow();
              List<SamlAttribute> all = withPassword(request, partner, key, joined, released);
              return issue.assertion(request, signOn, joined, stored, login, all, consent);
            })
        .map(response -> send(request, signOn, partner, key, response))
        .orElseGet(
            () -> waiting.refused(request, signOn, SamlRefusal.Reason.SESSION_EXPIRED, "it ended meanwhile"));
  }

  /**
   * A login that has just happened gives its password to a partner that is configured to receive it. An existing
   * session has no password to give.
   */
  private List<SamlAttribute> withPassword(
      RealmRequest request, SsoPartner partner, Optional<String> key, IdpSession session, List<SamlAttribute> released) {
    if (!partner.sp().config().asServiceProvider().credentialRelease()) {
      return released;
    }
    Optional<String> password = key.flatMap(waits -> release.take(request, waits, session.person()));
    List<SamlAttribute> all = new ArrayList<>(released);
    password.ifPresent(value -> all.add(SamlAttribute.basic(AttributeName.LOGIN_PASSWORD, List.of(value))));
    return List.copyOf(all);
  }

  private EdgeReply send(
      RealmRequest request, SignOn signOn, SsoPartner partner, Optional<String> key, Response response) {
    // A waiting sign-on continues by a redirect after one of our forms.
    EdgeReply reply = delivery.deliver(request, signOn, partner, response, key.isPresent());
    return waiting.answered(request, key, reply);
  }
}
