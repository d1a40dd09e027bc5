package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Creates Responses (SAML Profiles 4.1.4.2): with an Assertion about a person, or with only a status. */
final class ResponseIssue {

  private final AuditLog audit;
  private final Refusals refusals;
  private final InstantSource clock;
  private final RandomGenerator random;

  ResponseIssue(AuditLog audit, Refusals refusals, InstantSource clock, RandomGenerator random) {
    this.audit = audit;
    this.refusals = refusals;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Creates the Response about the session's person and records it in the audit log. Fails if the audit log is
   * unavailable.
   */
  Response assertion(
      RealmRequest request,
      SignOn signOn,
      IdpSession session,
      Participant participant,
      AuthnDecision.Satisfied login,
      List<SamlAttribute> released,
      Optional<String> consent) {
    Instant now = clock.instant();
    String id = SamlIds.create(random);
    Instant end = now.plus(request.idp().assertionLife());
    Assertion assertion =
        new Assertion(
            id,
            now,
            request.entityId(),
            participant.nameId(),
            List.of(
                new SubjectConfirmation(
                    Assertion.BEARER,
                    Optional.of(signOn.delivery().consumer().location()),
                    signOn.delivery().requestId(),
                    // Profiles 4.1.4.2: a bearer's SubjectConfirmationData has no NotBefore.
                    Optional.empty(),
                    Optional.of(end))),
            Optional.of(now),
            Optional.of(end),
            List.of(List.of(signOn.partner())),
            Optional.of(statement(session, participant, login)),
            released);
    audit.record(
        new AuditEvent.AssertionIssued(
            request.context(), session.person().value(), signOn.partner(), id, session.id().value()));
    return response(request, signOn, SamlStatus.success(), List.of(assertion), consent);
  }

  /** Creates a Response with an error status, and records it like every refusal. */
  Response status(RealmRequest request, SignOn signOn, SamlStatus status) {
    refusals.answered(request, signOn.partner(), "AuthnRequest", status);
    return response(request, signOn, status, List.of(), Optional.empty());
  }

  private static AuthnStatement statement(
      IdpSession session, Participant participant, AuthnDecision.Satisfied login) {
    return new AuthnStatement(
        login.at(),
        Optional.of(participant.sessionIndex()),
        Optional.of(session.lifetime().absoluteEnd()),
        Optional.of(login.classRef()));
  }

  private Response response(
      RealmRequest request, SignOn signOn, SamlStatus status, List<Assertion> assertions, Optional<String> consent) {
    return new Response(
        SamlIds.create(random),
        clock.instant(),
        request.entityId(),
        Optional.of(signOn.delivery().consumer().location()),
        signOn.delivery().requestId(),
        consent,
        status,
        assertions);
  }

  /** The participant for a NameID: the session's existing entry, otherwise one with a new SessionIndex. */
  Participant participant(IdpSession session, String partner, NameId nameId) {
    return session
        .participant(partner, nameId)
        .orElseGet(() -> new Participant(partner, nameId, SamlIds.create(random), clock.instant()));
  }
}
