package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.Optional;

/**
 * Checks that we can issue the requested NameID: it has a known Format, in the partner's own name space (SAML Core
 * 3.4.1.1; affiliations are not supported).
 * <ul>
 *   <li>{@code unspecified}, or no Format, leaves the choice to the partner's configuration.
 *   <li>{@code encrypted} requests an EncryptedID of a format that we choose (Core 3.4.1.1); that needs a key in the
 *       partner's metadata.
 *   <li>{@code entity} names a system that takes part in SAML (Core 8.3.6). A person at a browser is never such a
 *       system, so no assertion of this profile can have it, whatever Subject is requested.
 *   <li>A mail address is personal data: a partner gets it on request only if its configuration releases it anyway, as
 *       NameID or as attribute.
 * </ul>
 */
final class NameIdPolicyCheck {

  private static final String ENCRYPTED = "urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted";

  private NameIdPolicyCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request, Sp sp) {
    Optional<NameIdPolicy> policy = request.nameIdPolicy();
    boolean formatFits =
        format(policy).map(uri -> NameIdFormat.ofUri(uri).isPresent() || mayEncrypt(uri, sp)).orElse(true);
    boolean qualifierFits = policy.flatMap(NameIdPolicy::spNameQualifier).map(request.issuer()::equals).orElse(true);
    boolean released = wanted(request, sp.config()).format() != NameIdFormat.EMAIL || mayKnowMail(sp.config());
    return formatFits && qualifierFits && released
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
  }

  /** The NameID for a request that passed the check. */
  static RequestedNameId wanted(AuthnRequest request, PartnerConfig partner) {
    Optional<NameIdPolicy> policy = request.nameIdPolicy();
    return new RequestedNameId(
        format(policy).flatMap(NameIdFormat::ofUri).orElse(partner.nameId()),
        policy.map(NameIdPolicy::allowCreate).orElse(true),
        format(policy).filter(ENCRYPTED::equals).isPresent());
  }

  private static boolean mayEncrypt(String uri, Sp sp) {
    return uri.equals(ENCRYPTED) && !sp.role().encryption().isEmpty();
  }

  /** Returns whether the partner's configuration gives it mail addresses. */
  static boolean mayKnowMail(PartnerConfig partner) {
    return partner.nameId() == NameIdFormat.EMAIL
        || partner.release().values().stream().anyMatch(release -> release.source().equals(NameIds.MAIL));
  }

  private static Optional<String> format(Optional<NameIdPolicy> policy) {
    return policy.flatMap(NameIdPolicy::format).filter(uri -> !uri.equals(NameId.UNSPECIFIED));
  }
}
