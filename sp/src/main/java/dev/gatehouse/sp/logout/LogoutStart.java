package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Asks the identity provider to end its session too: a signed LogoutRequest (SAML Core 3.7.1; Profiles 4.4.3.1). */
public final class LogoutStart {

  /** How long the answer may take; a request that comes later than that must not count any more. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  private final SingleUseStore<PendingLogout> pendings;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final SamlWriter writer;
  private final Pages pages;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public LogoutStart(
      Stores stores,
      PartnerRegistry partners,
      KeyRings keyRings,
      SamlWriter writer,
      Pages pages,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = stores.singleUse("sp-logout", PendingLogout.CODEC);
    this.partners = partners;
    this.keyRings = keyRings;
    this.writer = writer;
    this.pages = pages;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** The way to the identity provider; empty where it cannot be asked. */
  Optional<EdgeReply> ask(SpRealm realm, EdgeRequest request, AppSession ended) {
    return switch (partners.metadata(realm.name(), ended.identityProvider())) {
      case Reading.Refused<PartnerMetadata>(SamlRefusal refusal) -> {
        refusals.log("LogoutRequest", refusal);
        yield Optional.empty();
      }
      case Reading.Accepted<PartnerMetadata>(PartnerMetadata metadata) ->
          endpoint(metadata).map(endpoint -> send(realm, request, ended, endpoint));
    };
  }

  SingleUseStore<PendingLogout> pendings() {
    return pendings;
  }

  /**
   * Whose logout messages count: any identity provider's among the partners, as sessions of an earlier one may be open.
   */
  static Reading<PartnerMetadata> identityProvider(PartnerRegistry partners, SpRealm realm, String issuer) {
    Reading<PartnerMetadata> found = partners.metadata(realm.name(), issuer);
    return found instanceof Reading.Accepted<PartnerMetadata>(PartnerMetadata metadata) && metadata.idp().isEmpty()
        ? new Reading.Refused<>(new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider: " + issuer))
        : found;
  }

  /** The partner's SingleLogoutService: by Redirect where it lists one, else by POST. */
  static Optional<Endpoint> endpoint(PartnerMetadata metadata) {
    List<Endpoint> listed = metadata.idp().map(IdpRole::singleLogout).orElse(List.of());
    return listed.stream()
        .filter(endpoint -> endpoint.binding() == Binding.REDIRECT)
        .findFirst()
        .or(() -> listed.stream().filter(endpoint -> endpoint.binding() == Binding.POST).findFirst());
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, AppSession ended, Endpoint endpoint) {
    Instant now = time.instant();
    LogoutRequest message =
        new LogoutRequest(
            SamlIds.create(random),
            now,
            realm.sp().entityId(),
            Optional.of(endpoint.location()),
            Optional.of(now.plus(LIFE)),
            ended.nameId(),
            ended.sessionIndex().stream().toList());
    pendings.put(
        message.id(),
        new PendingLogout(
            realm.name(), ended.identityProvider(), ended.person().value(), request.origin() + "/"),
        now.plus(LIFE));
    SigningKey key = keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING);
    Optional<String> relayState = Optional.of(message.id());
    return endpoint.binding() == Binding.REDIRECT
        ? EdgeReply.seeOther(writer.redirect(message, endpoint.location(), relayState, key))
        : pages.autoSubmit(
            request, Optional.of(realm.realm()), writer.post(message, endpoint.location(), relayState, key));
  }
}
