package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.Optional;

/**
 * Checks that the person who logged in is the one whom the AuthnRequest's Subject names (SAML Core 3.4.1), by a NameID
 * that we issued or would issue to that partner for that person. The comparison creates no new NameID.
 */
final class SubjectCheck {

  private final NameIds nameIds;

  SubjectCheck(NameIds nameIds) {
    this.nameIds = nameIds;
  }

  Optional<SamlStatus> check(SignOn signOn, IdpSession session, String idp) {
    if (signOn.authentication().subject().filter(subject -> !names(subject, signOn, session, idp)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.UNKNOWN_PRINCIPAL));
  }

  private boolean names(NameId subject, SignOn signOn, IdpSession session, String idp) {
    boolean given =
        session.participants().stream()
            .anyMatch(p -> p.entityId().equals(signOn.partner()) && same(p.nameId(), subject));
    return given
        || NameIdFormat.ofUri(subject.format())
            .filter(format -> format != NameIdFormat.TRANSIENT)
            .flatMap(format -> nameIds.of(session, idp, signOn.partner(), format, false))
            .filter(ours -> same(ours, subject))
            .isPresent();
  }

  private static boolean same(NameId ours, NameId theirs) {
    return ours.format().equals(theirs.format()) && ours.value().equals(theirs.value());
  }
}
