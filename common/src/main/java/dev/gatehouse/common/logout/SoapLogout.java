package dev.gatehouse.common.logout;

import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Delivers a notice as a LogoutRequest to the partner's SingleLogoutService by SOAP (SAML Profiles 4.4.3.2). */
public final class SoapLogout implements LogoutDelivery {

  /** The validity of a request. */
  private static final Duration LIFE = Duration.ofMinutes(5);

  /** Our role. */
  public enum Side {
    /** The identity provider: a service provider notifies nobody else, so it has five seconds. */
    IDP(Duration.ofSeconds(5)),

    /** The service provider: an identity provider may first give five seconds to each of its other partners. */
    SP(Duration.ofSeconds(8));

    private final Duration timeout;

    Side(Duration timeout) {
      this.timeout = timeout;
    }

    /** Returns the time that a partner has to answer. */
    public Duration timeout() {
      return timeout;
    }

    private Optional<String> entityId(Realm realm) {
      return switch (this) {
        case IDP -> realm.idp().map(idp -> idp.entityId(realm.name()));
        case SP -> realm.sp().map(sp -> sp.entityId());
      };
    }

    private KeyUse signing() {
      return this == IDP ? KeyUse.IDP_SIGNING : KeyUse.SP_SIGNING;
    }

    private List<Endpoint> endpoints(PartnerMetadata partner) {
      return switch (this) {
        case IDP -> partner.sp().map(role -> role.sso().singleLogout()).orElse(List.of());
        case SP -> partner.idp().map(role -> role.sso().singleLogout()).orElse(List.of());
      };
    }

    /** Returns what to encrypt; only the identity provider can be configured to encrypt. */
    private Encryption.Choice encryption(PartnerConfig config, PartnerMetadata partner) {
      return this == IDP && partner.sp().isPresent()
          ? Encryption.choose(config.asServiceProvider().encrypt(), partner.sp().get().encryption())
          : new Encryption.Choice.None();
    }
  }

  private final Side side;
  private final Realms realms;
  private final PartnerRegistry partners;
  private final KeyRings keys;
  private final SoapCall soap;
  private final InstantSource clock;
  private final RandomGenerator random;

  public SoapLogout(
      Side side,
      Realms realms,
      PartnerRegistry partners,
      KeyRings keys,
      SoapCall soap,
      InstantSource clock,
      RandomGenerator random) {
    this.side = side;
    this.realms = realms;
    this.partners = partners;
    this.keys = keys;
    this.soap = soap;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public LogoutDeliveryResult deliver(String realmName, LogoutNotice notice) {
    Optional<Realm> realm = realms.find(realmName);
    Optional<String> us = realm.flatMap(side::entityId);
    Optional<Partner> partner = partners.find(realmName, notice.partner());
    if (us.isEmpty() || partner.isEmpty()) {
      return new LogoutDeliveryResult.Impossible("the realm or the partner is not configured any more");
    }
    return switch (partners.metadata(realmName, notice.partner())) {
      case Result.Refused(SamlRefusal refusal) -> new LogoutDeliveryResult.Unreachable(refusal.detail());
      case Result.Accepted(PartnerMetadata metadata) ->
          side.endpoints(metadata).stream()
              .filter(endpoint -> endpoint.binding() == Binding.SOAP)
              .findFirst()
              .map(endpoint -> send(realm.get(), us.get(), partner.get().config(), metadata, endpoint, notice))
              .orElseGet(() -> new LogoutDeliveryResult.Impossible("its metadata has no SingleLogoutService by SOAP"));
    };
  }

  private LogoutDeliveryResult send(
      Realm realm,
      String us,
      PartnerConfig config,
      PartnerMetadata metadata,
      Endpoint endpoint,
      LogoutNotice notice) {
    return switch (side.encryption(config, metadata)) {
      case Encryption.Choice.NoKey none -> new LogoutDeliveryResult.Unreachable("its metadata has no key to encrypt the NameID to");
      case Encryption.Choice.None none -> call(realm, us, metadata, endpoint, Optional.empty(), notice);
      case Encryption.Choice.With(Encryption encryption) ->
          call(realm, us, metadata, endpoint, Optional.of(encryption), notice);
    };
  }

  private LogoutDeliveryResult call(
      Realm realm,
      String us,
      PartnerMetadata metadata,
      Endpoint endpoint,
      Optional<Encryption> encryption,
      LogoutNotice notice) {
    Instant now = clock.instant();
    LogoutRequest request =
        new LogoutRequest(
            SamlIds.create(random),
            now,
            us,
            Optional.of(endpoint.location()),
            Optional.of(now.plus(LIFE)),
            Optional.of(notice.reason().uri()),
            notice.nameId(),
            notice.sessionIndexes());
    SoapCall.To to =
        new SoapCall.To(
            metadata, endpoint.location(), keys.of(realm).current(side.signing()), encryption, side.timeout());
    return switch (soap.logout(request, to)) {
      case SoapCall.Outcome.Answered<LogoutResponse>(LogoutResponse answer) -> LogoutDeliveryResult.of(answer.status());
      case SoapCall.Outcome.Refused<LogoutResponse>(SamlRefusal refusal) ->
          new LogoutDeliveryResult.Unreachable("its answer was refused: " + refusal.reason() + ", " + refusal.detail());
      case SoapCall.Outcome.Unreachable<LogoutResponse>(String problem) -> new LogoutDeliveryResult.Unreachable(problem);
    };
  }
}
