package dev.gatehouse.sp.nameid;

import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;

/** A realm's service provider in name management with its identity providers. */
final class SpParty {

  private final KeyRings keys;
  private final PartnerRegistry partners;

  SpParty(KeyRings keys, PartnerRegistry partners) {
    this.keys = keys;
    this.partners = partners;
  }

  NameIdParty of(Realm realm, SpConfig sp) {
    KeyRing ring = keys.of(realm);
    return new NameIdParty(
        realm,
        NameIdParty.Side.SP,
        sp.entityId(),
        sp.publicUrl() + NameIdEndpoint.PATH,
        sp.publicUrl() + NameIdEndpoint.SOAP_PATH,
        ring.current(KeyUse.SP_SIGNING),
        lookup(realm.name()).decryptingWith(() -> ring.decryption(KeyUse.SP_ENCRYPTION)),
        partner -> new Encryption.Choice.None());
  }

  private PartnerLookup lookup(String realm) {
    return issuer ->
        switch (partners.metadata(realm, issuer)) {
          case Result.Accepted(PartnerMetadata metadata) when metadata.idp().isEmpty() ->
              new Result.Refused<>(
                  new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, "no identity provider: " + issuer));
          case Result<PartnerMetadata, SamlRefusal> other -> other;
        };
  }
}
