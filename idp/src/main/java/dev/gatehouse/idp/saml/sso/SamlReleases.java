package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.authn.PartnerLinks;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.consent.PendingRelease;
import dev.gatehouse.idp.consent.PendingReleases;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.List;
import java.util.Optional;

/** The attribute releases of waiting SAML sign-ons for the person who is logged in. */
final class SamlReleases implements PendingReleases {

  private final PendingRequests<SignOn> pendingRequests;
  private final SsoPartners partners;
  private final IdpSessions sessions;
  private final SignOnAnswer answer;

  SamlReleases(
      PendingRequests<SignOn> pendingRequests,
      SsoPartners partners,
      IdpSessions sessions,
      SignOnAnswer answer) {
    this.pendingRequests = pendingRequests;
    this.partners = partners;
    this.sessions = sessions;
    this.answer = answer;
  }

  @Override
  public Optional<PendingRelease> find(RealmRequest request, String key) {
    return own(request, key)
        .flatMap(
            signOn ->
                partner(signOn)
                    .flatMap(
                        partner ->
                            sessions
                                .current(request)
                                .flatMap(session -> sessions.upToDate(request, session))
                                .map(session -> release(request, key, signOn, partner, session))));
  }

  /** The person refuses: RequestDenied (SAML Core 3.2.2.2). */
  @Override
  public EdgeReply deny(RealmRequest request, String key) {
    return end(request, key, SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED));
  }

  /** The person cancels the login: AuthnFailed (SAML Core 3.2.2.2). */
  EdgeReply cancel(RealmRequest request, String key) {
    return end(
        request,
        key,
        SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.AUTHN_FAILED).because("the login was cancelled"));
  }

  /** Ends the pending sign-on. The browser has just sent one of our forms. */
  private EdgeReply end(RealmRequest request, String key, SamlStatus status) {
    Optional<SignOn> signOn = own(request, key);
    return signOn
        .flatMap(
            found ->
                partner(found)
                    .map(partner -> answer.status(request, found, partner, Optional.of(key), status)))
        .orElseGet(() -> pendingRequests.gone(request, "NO_SUCH_PENDING_LOGIN"));
  }

  private Optional<SignOn> own(RealmRequest request, String key) {
    return pendingRequests.own(request, key);
  }

  private Optional<SsoPartner> partner(SignOn signOn) {
    return partners.find(signOn.realm(), signOn.partner()) instanceof Result.Accepted(var partner)
            && partner.consumers().lists(signOn.delivery().consumer())
        ? Optional.of(partner)
        : Optional.empty();
  }

  private static PendingRelease release(
      RealmRequest request, String key, SignOn signOn, SsoPartner partner, IdpSession session) {
    Optional<AttributeConsumingService> asked = partner.asked(signOn);
    List<SamlAttribute> released = partner.release().of(session.snapshot().details(), asked);
    List<String> mail = session.snapshot().details().attributes().getOrDefault(NameIds.MAIL, List.of());
    return new PendingRelease(
        key,
        partner.entityId(),
        partner.sp().displayName(),
        partner.sp().role().ui(),
        PartnerLinks.NONE,
        session.person(),
        ReleasedItems.of(signOn.nameId().format(), released, mail),
        AttributeRelease.missing(released, asked).stream().map(ReleasedItems::label).toList(),
        List.of(),
        SamlPendingSignOns.resume(request, key));
  }
}
