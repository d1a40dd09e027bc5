package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.idp.saml.SpPartners;

/** A realm's identity provider in name management with its service providers. */
final class IdpParty {

  private final KeyRings keys;
  private final SpPartners partners;

  IdpParty(KeyRings keys, SpPartners partners) {
    this.keys = keys;
    this.partners = partners;
  }

  NameIdParty of(Realm realm, IdpConfig idp) {
    KeyRing ring = keys.of(realm);
    String entityId = idp.entityId(realm.name());
    return new NameIdParty(
        realm,
        NameIdParty.Side.IDP,
        entityId,
        entityId + "/" + NameIdEndpoint.PATH,
        entityId + "/" + NameIdEndpoint.SOAP_PATH,
        ring.current(KeyUse.IDP_SIGNING),
        partners.lookup(realm.name()).decryptingWith(() -> ring.decryption(KeyUse.IDP_ENCRYPTION)),
        partner -> encryption(realm, partner));
  }

  private Encryption.Choice encryption(Realm realm, PartnerMetadata partner) {
    return switch (partners.find(realm.name(), partner.entityId())) {
      case Result.Refused<SpPartners.Sp, SamlRefusal> refused -> new Encryption.Choice.NoKey();
      case Result.Accepted(SpPartners.Sp sp) ->
          Encryption.choose(sp.config().asServiceProvider().encrypt(), sp.role().encryption());
    };
  }
}
