package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.RequestBinding;
import dev.gatehouse.common.realm.PartnerConfig.ResponseBinding;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.FrontChannel;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Sends a person to an identity provider with a signed AuthnRequest (SAML Core 3.4.1, Profiles 4.1.4.1), by the
 * configured binding or another that the provider's metadata lists. The browser carries the pending request until it is
 * answered. With the artifact binding, we hold the AuthnRequest until the identity provider fetches it (SAML Bindings
 * 3.6), within limits per client network.
 */
public final class SamlLoginStart implements LoginStart {

  /** The index of our only AttributeConsumingService, if our metadata has one. */
  private static final int ATTRIBUTES = 0;

  private final PendingRequests pendings;
  private final PartnerRegistry partners;
  private final FrontChannel frontChannel;
  private final HeldRequests heldRequests;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  SamlLoginStart(
      PendingRequests pendings,
      PartnerRegistry partners,
      FrontChannel frontChannel,
      HeldRequests heldRequests,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = pendings;
    this.partners = partners;
    this.frontChannel = frontChannel;
    this.heldRequests = heldRequests;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** An identity provider's endpoint for requests, and the rules for it. */
  private record Recipient(PartnerMetadata metadata, Endpoint endpoint, AsIdentityProvider rules) {}

  @Override
  public EdgeReply begin(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, String identityProvider) {
    return to(realm, request, identityProvider, recipient -> send(realm, request, loginRequest, recipient));
  }

  /**
   * Sends the AuthnRequest of a test login. The browser does not carry it as a pending request, so its answer opens no session.
   *
   * @param id the ID of the AuthnRequest
   */
  public EdgeReply test(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, String identityProvider, String id) {
    return to(
        realm,
        request,
        identityProvider,
        recipient ->
            send(
                realm,
                request,
                authnRequest(realm, loginRequest, List.of(), recipient, id, time.instant()),
                identityProvider,
                recipient.endpoint()));
  }

  private EdgeReply to(SpRealm realm, EdgeRequest request, String identityProvider, Function<Recipient, EdgeReply> send) {
    return switch (partners.metadata(realm.name(), identityProvider)) {
      case Result.Refused(SamlRefusal refusal) -> unavailable(realm, request, refusal);
      case Result.Accepted(PartnerMetadata metadata) -> {
        AsIdentityProvider rules = IdentityProviders.rules(partners, realm, identityProvider);
        yield metadata
            .idp()
            .flatMap(idp -> endpoint(idp, binding(rules.request())))
            .map(endpoint -> send.apply(new Recipient(metadata, endpoint, rules)))
            .orElseGet(() -> unavailable(realm, request, noEndpoint()));
      }
    };
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, Recipient recipient) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    Instant now = time.instant();
    List<String> contexts = loginRequest.requirements(realm).authnContext();
    AuthnRequest message = authnRequest(realm, loginRequest, contexts, recipient, pendings.newId(realm), now);
    String partner = recipient.metadata().entityId();
    PendingRequest pending =
        new PendingRequest(realm.name(), message.id(), partner, loginRequest, contexts, now, Optional.empty());
    return pendings.keep(
        realm, request, browser, pending, () -> send(realm, request, message, partner, recipient.endpoint()));
  }

  private EdgeReply send(
      SpRealm realm, EdgeRequest request, AuthnRequest message, String partner, Endpoint endpoint) {
    String location = endpoint.location();
    Optional<String> relayState = Optional.of(message.id());
    return switch (endpoint.binding()) {
      case REDIRECT -> frontChannel.redirect(realm, message, location, relayState);
      case POST -> frontChannel.post(realm, request, message, location, relayState);
      case ARTIFACT -> heldRequests.redirect(realm, request, message, partner, location);
      case SOAP -> throw new IllegalStateException("no browser carries SOAP");
    };
  }

  private AuthnRequest authnRequest(
      SpRealm realm,
      LoginRequest loginRequest,
      List<String> contexts,
      Recipient recipient,
      String id,
      Instant now) {
    AsIdentityProvider rules = recipient.rules();
    Binding response = answeredBy(recipient.metadata(), rules);
    Optional<RequestedAuthnContext> context =
        contexts.isEmpty() ? Optional.empty() : Optional.of(new RequestedAuthnContext("exact", contexts, List.of()));
    return new AuthnRequest(
        id, SamlMessage.VERSION, now, realm.sp().entityId(), Optional.of(recipient.endpoint().location()),
        new AuthnRequest.Delivery(Optional.of(realm.sp().acs()), Optional.empty(), Optional.of(response.uri())),
        realm.sp().requestedAttributes().isEmpty() ? Optional.empty() : Optional.of(ATTRIBUTES),
        Optional.of(new NameIdPolicy(nameIdFormat(rules), Optional.empty(), true)),
        new AuthnRequest.Authentication(loginRequest.forceAuthn(), loginRequest.isPassive(), context, List.of()),
        Optional.empty());
  }

  /** An account link needs a persistent name. */
  private static Optional<String> nameIdFormat(AsIdentityProvider rules) {
    return rules
        .requestNameId()
        .or(() -> rules.link() instanceof Link.None ? Optional.empty() : Optional.of(NameIdFormat.PERSISTENT))
        .map(NameIdFormat::uri);
  }

  private EdgeReply unavailable(SpRealm realm, EdgeRequest request, SamlRefusal refusal) {
    refusals.log("AuthnRequest", refusal);
    return refusals.page(realm, request, 503, "partner-unavailable");
  }

  private static SamlRefusal noEndpoint() {
    return new SamlRefusal(Reason.NO_ENDPOINT, "no SingleSignOnService by a binding of ours");
  }

  private static Binding binding(RequestBinding configured) {
    return switch (configured) {
      case REDIRECT -> Binding.REDIRECT;
      case POST -> Binding.POST;
      case ARTIFACT -> Binding.ARTIFACT;
    };
  }

  /** Artifact if it is configured and the identity provider resolves artifacts; otherwise POST. */
  private static Binding answeredBy(PartnerMetadata partner, AsIdentityProvider rules) {
    boolean resolves =
        partner.idp().stream()
            .flatMap(idp -> idp.sso().artifactResolution().stream())
            .anyMatch(endpoint -> endpoint.binding() == Binding.SOAP);
    return rules.response() == ResponseBinding.ARTIFACT && resolves ? Binding.ARTIFACT : Binding.POST;
  }

  /** Uses the wanted binding, otherwise Redirect, otherwise POST. */
  private static Optional<Endpoint> endpoint(IdpRole idp, Binding wanted) {
    return Stream.of(wanted, Binding.REDIRECT, Binding.POST)
        .flatMap(binding -> idp.singleSignOn().stream().filter(endpoint -> endpoint.binding() == binding))
        .findFirst();
  }
}
