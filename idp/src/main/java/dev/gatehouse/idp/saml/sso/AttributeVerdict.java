package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.saml.SamlAttribute;
import java.util.List;

/**
 * The verdict of one rule about a person's attribute.
 *
 * @param isRequested whether the request names the attribute, or none
 * @param released with the values that are released
 * @param withheld the other values of the person
 */
record AttributeVerdict(Release rule, boolean isRequested, SamlAttribute released, List<WithheldValue> withheld) {

  /** A value that is not released. */
  record WithheldValue(String value, Withheld reason) {}
}
