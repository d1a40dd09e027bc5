package dev.gatehouse.common.nameid;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Our own part towards a partner: the identity provider of a realm, or its service provider.
 *
 * @param location our ManageNameIDService for browsers
 * @param soapLocation our ManageNameIDService for SOAP
 * @param key signs our messages
 * @param partners those in the other role, with our keys for elements that they encrypt
 * @param encryption what is encrypted for a partner
 */
public record NameIdParty(
    Realm realm,
    Side side,
    String entityId,
    String location,
    String soapLocation,
    SigningKey key,
    PartnerLookup partners,
    Function<PartnerMetadata, Encryption.Choice> encryption) {

  /** Our role. */
  public enum Side {
    IDP,
    SP
  }

  /** Returns the partner's ManageNameIDServices. */
  List<Endpoint> endpoints(PartnerMetadata partner) {
    return switch (side) {
      case IDP -> partner.sp().map(role -> role.sso().manageNameId()).orElse(List.of());
      case SP -> partner.idp().map(role -> role.sso().manageNameId()).orElse(List.of());
    };
  }

  /** Returns the persistent NameID between us and that partner (SAML Core 8.3.7). */
  public NameId nameId(String partner, String value, Optional<String> spProvidedId) {
    return new NameId(
        value, NameId.PERSISTENT, Optional.of(idp(partner)), Optional.of(sp(partner)), spProvidedId);
  }

  String idp(String partner) {
    return side == Side.IDP ? entityId : partner;
  }

  String sp(String partner) {
    return side == Side.IDP ? partner : entityId;
  }
}
