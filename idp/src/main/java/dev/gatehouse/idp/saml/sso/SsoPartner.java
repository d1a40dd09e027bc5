package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.Encryption;
import dev.gatehouse.common.saml.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.idp.authn.AuthnWanted;
import dev.gatehouse.idp.authn.LoginContract;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A service provider with what its metadata and configuration come to, sorted once. */
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

  /** Whether metadata and configuration are the ones that this was made of. */
  boolean isOf(Sp now) {
    return sp.role() == now.role() && sp.config() == now.config();
  }

  /** What a sign-on asks of a login. */
  AuthnWanted wanted(SignOn signOn) {
    return new AuthnWanted(
        signOn.requestedAuthnContext(),
        least,
        signOn.forceAuthn() ? Optional.of(signOn.receivedAt()) : Optional.empty());
  }

  /** What of the Response to a sign-on is encrypted: what is configured, and the NameID where the request wants that. */
  Encryption.Choice encryption(SignOn signOn) {
    Set<Encrypted> configured = sp.config().asServiceProvider().encrypt();
    if (!signOn.nameId().encrypted() || configured.contains(Encrypted.NAME_ID)) {
      return Encryption.choose(configured, sp.role().encryption());
    }
    Set<Encrypted> more = EnumSet.of(Encrypted.NAME_ID);
    more.addAll(configured);
    return Encryption.choose(more, sp.role().encryption());
  }

  /** What a sign-on would like to learn; empty where it says nothing. */
  Optional<AttributeConsumingService> asked(SignOn signOn) {
    return signOn.attributeService().flatMap(index -> sp.role().attributeConsumer(Optional.of(index)));
  }
}
