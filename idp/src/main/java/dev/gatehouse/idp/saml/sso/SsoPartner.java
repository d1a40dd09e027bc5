package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A service provider with values derived from its metadata and configuration, computed once. */
record SsoPartner(Sp sp, ConsumerServices consumers, AttributeRelease release, Optional<LoginContract> least) {

  static SsoPartner of(Sp sp) {
    return new SsoPartner(
        sp,
        ConsumerServices.of(sp.role()),
        AttributeRelease.of(sp.config()),
        sp.config().asServiceProvider().contract().flatMap(LoginContract::of));
  }

  String entityId() {
    return sp.entityId();
  }

  /** Returns whether this object was derived from the given metadata and configuration. */
  boolean isOf(Sp now) {
    return sp.role() == now.role() && sp.config() == now.config();
  }

  /** The demands of a sign-on on the authentication. */
  AuthnWanted wanted(SignOn signOn) {
    return new AuthnWanted(
        signOn.authentication().requestedAuthnContext(),
        least,
        signOn.authentication().forceAuthn() ? Optional.of(signOn.receivedAt()) : Optional.empty());
  }

  /** The encryption of the Response to a sign-on: the configured parts, and the NameID if the request demands it. */
  Encryption.Choice encryption(SignOn signOn) {
    return encryption(signOn.nameId());
  }

  /** As {@link #encryption(SignOn)}. */
  Encryption.Choice encryption(RequestedNameId nameId) {
    Set<Encrypted> configured = sp.config().asServiceProvider().encrypt();
    if (!nameId.encrypted() || configured.contains(Encrypted.NAME_ID)) {
      return Encryption.choose(configured, sp.role().encryption());
    }
    Set<Encrypted> more = EnumSet.of(Encrypted.NAME_ID);
    more.addAll(configured);
    return Encryption.choose(more, sp.role().encryption());
  }

  /** The attributes that a sign-on requests; empty if it lists none. */
  Optional<AttributeConsumingService> asked(SignOn signOn) {
    return asked(signOn.attributeService());
  }

  /** The attributes of a service in the metadata; empty if none is named, or there is none of that index. */
  Optional<AttributeConsumingService> asked(Optional<Integer> attributeService) {
    return attributeService.flatMap(index -> sp.role().attributeConsumer(Optional.of(index)));
  }
}
