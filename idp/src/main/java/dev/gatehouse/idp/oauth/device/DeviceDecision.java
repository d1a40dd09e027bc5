package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.AuthenticationMethods;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.token.Authorizations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Carries out a person's answer to a device. The authorization of a device belongs to no session, because the device is
 * not this browser. It is stored when the person agrees, without tokens: whatever ends the person's authorizations then
 * ends it before the device has polled, too (RFC 8628, section 5.4; RFC 9700, section 4.14.2). If the device never polls,
 * it expires with the device code.
 */
final class DeviceDecision {

  private final DeviceCodes codes;
  private final Authorizations authorizations;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  DeviceDecision(
      DeviceCodes codes, Authorizations authorizations, AuditLog audit, InstantSource clock, RandomGenerator random) {
    this.codes = codes;
    this.authorizations = authorizations;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** Returns false if the device was answered before, or no longer waits. */
  boolean agree(
      RealmRequest request,
      DeviceCodes.Found found,
      Client client,
      IdpSession session,
      AuthnDecision.Satisfied login) {
    Instant now = clock.instant();
    DeviceRequest asked = found.request();
    Authorization authorization =
        new Authorization(
            SessionToken.create(random).id(),
            asked.realm(),
            client.id(),
            Optional.empty(),
            Authorization.Grant.of(asked.scopes(), asked.resources()),
            new Authorization.Authn(login.at(), login.classRef(), AuthenticationMethods.of(login.by())),
            session.snapshot(),
            Authorization.Tokens.NONE,
            now,
            asked.expiresAt());
    audit.record(
        new AuditEvent.AuthorizationGranted(
            request.context(),
            session.person().value(),
            client.id(),
            authorization.id().value(),
            String.join(" ", new TreeSet<>(asked.scopes())),
            "device"));
    return codes.answer(
        found,
        () -> {
          authorizations.begin(authorization);
          return new DeviceAnswer(Optional.of(authorization));
        });
  }

  boolean deny(RealmRequest request, DeviceCodes.Found found, IdpSession session) {
    audit.record(
        new AuditEvent.AuthorizationDenied(request.context(), session.person().value(), found.request().clientId()));
    return codes.answer(found, () -> new DeviceAnswer(Optional.empty()));
  }
}
