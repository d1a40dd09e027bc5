package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;

/**
 * The NameID that a sign-on is to give.
 *
 * @param mayCreate whether a persistent one may be made now (NameIDPolicy, AllowCreate)
 * @param encrypted whether it goes as EncryptedID because the request says so (SAML Core 3.4.1.1)
 */
public record RequestedNameId(NameIdFormat format, boolean mayCreate, boolean encrypted) {

  /** Where nothing is asked for, the configured format decides, and one may be made. */
  static RequestedNameId of(NameIdFormat configured) {
    return new RequestedNameId(configured, true, false);
  }
}
