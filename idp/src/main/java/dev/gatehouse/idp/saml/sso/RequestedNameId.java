package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;

/**
 * The NameID that a sign-on is to issue.
 *
 * @param mayCreate whether a persistent one may be created now (NameIDPolicy, AllowCreate)
 * @param encrypted whether it is sent as EncryptedID because the request demands it (SAML Core 3.4.1.1)
 */
public record RequestedNameId(NameIdFormat format, boolean mayCreate, boolean encrypted) {

  /** The NameID if the request asks for none: the configured format, and one may be created. */
  static RequestedNameId of(NameIdFormat configured) {
    return new RequestedNameId(configured, true, false);
  }
}
