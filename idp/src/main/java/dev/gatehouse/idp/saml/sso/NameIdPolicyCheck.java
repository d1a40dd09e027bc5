package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.SamlStatus;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.Optional;

/**
 * The NameID that is wanted is one that we can give: a known Format, in the partner's own name space (SAML Core 3.4.1.1;
 * affiliations are not offered). A mail address is personal data: whoever asks gets it only where the partner's configuration
 * gives it anyway, as NameID or as attribute.
 */
final class NameIdPolicyCheck {

  private NameIdPolicyCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request, PartnerConfig partner) {
    Optional<NameIdPolicy> policy = request.nameIdPolicy();
    boolean formatFits =
        policy.flatMap(NameIdPolicyCheck::wanted).map(uri -> NameIdFormat.ofUri(uri).isPresent()).orElse(true);
    boolean qualifierFits =
        policy.flatMap(NameIdPolicy::spNameQualifier).map(request.issuer()::equals).orElse(true);
    boolean released = format(request, partner.nameId()) != NameIdFormat.EMAIL || mayKnowMail(partner);
    return formatFits && qualifierFits && released
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.INVALID_NAMEID_POLICY));
  }

  private static boolean mayKnowMail(PartnerConfig partner) {
    return partner.nameId() == NameIdFormat.EMAIL || partner.release().values().stream().anyMatch(release -> release.source().equals(NameIds.MAIL));
  }

  /** The format to give to a request that passed. */
  static NameIdFormat format(AuthnRequest request, NameIdFormat configured) {
    return request.nameIdPolicy().flatMap(NameIdPolicyCheck::wanted).flatMap(NameIdFormat::ofUri).orElse(configured);
  }

  private static Optional<String> wanted(NameIdPolicy policy) {
    return policy.format().filter(uri -> !uri.equals(NameId.UNSPECIFIED));
  }
}
