package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import java.util.Optional;

/**
 * Checks that the name is one between the two parties (SAML Core 3.6.1, 8.3.7): it is persistent, and its qualifiers, if any, name
 * our and the partner's entity. A partner may not manage other names.
 */
final class OwnNameCheck {

  private OwnNameCheck() {}

  static Optional<SamlRefusal> check(ManageNameIdRequest request, NameIdParty self) {
    NameId nameId = request.nameId();
    String partner = request.issuer();
    if (!nameId.format().equals(NameId.PERSISTENT)) {
      return Optional.of(new SamlRefusal(Reason.NAME_ID_FOREIGN, "the NameID is not persistent"));
    }
    boolean ours =
        nameId.nameQualifier().map(self.idp(partner)::equals).orElse(true)
            && nameId.spNameQualifier().map(self.sp(partner)::equals).orElse(true);
    return ours
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.NAME_ID_FOREIGN, "the NameID's qualifiers name others than the two of us"));
  }
}
