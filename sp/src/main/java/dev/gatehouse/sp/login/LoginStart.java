package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sends a person to the identity provider: an AuthnRequest (SAML Core 3.4.1, Profiles 4.1.4.1), signed, by Redirect
 * where the provider lists it and else by POST, remembered until it is answered.
 */
public final class LoginStart {

  private final PendingRequests pendings;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final SamlWriter writer;
  private final Pages pages;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public LoginStart(
      PendingRequests pendings,
      PartnerRegistry partners,
      KeyRings keyRings,
      SamlWriter writer,
      Pages pages,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = pendings;
    this.partners = partners;
    this.keyRings = keyRings;
    this.writer = writer;
    this.pages = pages;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** Begins a login; {@code request} came to the home origin. */
  EdgeReply begin(SpRealm realm, EdgeRequest request, ReturnTarget target) {
    String identityProvider = realm.sp().identityProvider();
    return switch (partners.metadata(realm.name(), identityProvider)) {
      case Reading.Refused<PartnerMetadata>(SamlRefusal refusal) -> unavailable(realm, request, refusal);
      case Reading.Accepted<PartnerMetadata>(PartnerMetadata metadata) ->
          singleSignOn(metadata)
              .map(endpoint -> send(realm, request, target, endpoint))
              .orElseGet(
                  () ->
                      unavailable(
                          realm,
                          request,
                          new SamlRefusal(Reason.NO_ENDPOINT, "no SingleSignOnService by Redirect or POST")));
    };
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, ReturnTarget target, Endpoint endpoint) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    Instant now = time.instant();
    AuthnRequest message = authnRequest(realm, endpoint.location(), now);
    pendings.put(
        new PendingRequest(
            realm.name(), message.id(), realm.sp().identityProvider(), target, browser.hash(), now));
    SigningKey key = keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING);
    Optional<String> relayState = Optional.of(message.id());
    EdgeReply reply =
        endpoint.binding() == Binding.REDIRECT
            ? EdgeReply.seeOther(writer.redirect(message, endpoint.location(), relayState, key))
            : pages.autoSubmit(
                request, Optional.of(realm.realm()), writer.post(message, endpoint.location(), relayState, key));
    return browser.rememberedBy(reply, request);
  }

  private AuthnRequest authnRequest(SpRealm realm, String destination, Instant now) {
    return new AuthnRequest(
        SamlIds.create(random),
        now,
        realm.sp().entityId(),
        Optional.of(destination),
        Optional.of(realm.sp().acs()),
        Optional.empty(),
        Optional.of(Binding.POST.uri()),
        Optional.empty(),
        Optional.of(new NameIdPolicy(Optional.empty(), Optional.empty(), true)),
        false,
        false,
        Optional.empty(),
        Optional.empty());
  }

  private EdgeReply unavailable(SpRealm realm, EdgeRequest request, SamlRefusal refusal) {
    refusals.log("AuthnRequest", refusal);
    return refusals.page(realm, request, 503, "partner-unavailable");
  }

  private static Optional<Endpoint> singleSignOn(PartnerMetadata metadata) {
    return metadata.idp().map(IdpRole::singleSignOn).flatMap(LoginStart::preferred);
  }

  private static Optional<Endpoint> preferred(List<Endpoint> endpoints) {
    return endpoints.stream()
        .filter(endpoint -> endpoint.binding() == Binding.REDIRECT)
        .findFirst()
        .or(() -> endpoints.stream().filter(endpoint -> endpoint.binding() == Binding.POST).findFirst());
  }
}
