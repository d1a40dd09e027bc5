package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.util.Optional;

/**
 * Checks that the person who logged in is the one whom the AuthnRequest's Subject names (SAML Core 3.4.1), by a NameID
 * that we issued or would issue to that partner for that person. The comparison creates no new NameID, and confirms no
 * guessed mail address to a partner that gets none.
 */
final class SubjectCheck {

  private final NameIds nameIds;

  SubjectCheck(NameIds nameIds) {
    this.nameIds = nameIds;
  }

  Optional<SamlStatus> check(SignOn signOn, PartnerConfig partner, IdpSession session, String idp) {
    if (signOn.authentication().subject().filter(subject -> !names(subject, signOn, partner, session, idp)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.UNKNOWN_PRINCIPAL));
  }

  private boolean names(NameId subject, SignOn signOn, PartnerConfig partner, IdpSession session, String idp) {
    boolean given =
        session.participants().stream()
            .anyMatch(p -> p.entityId().equals(signOn.partner()) && same(p.nameId(), subject));
    return given
        || NameIdFormat.ofUri(subject.format())
            .filter(format -> mayKnow(format, partner))
            .flatMap(format -> nameIds.of(session, idp, signOn.partner(), format, false))
            .filter(ours -> same(ours, subject))
            .isPresent();
  }

  /** Returns whether the partner may know a NameID of the format from elsewhere than an open session. */
  private static boolean mayKnow(NameIdFormat format, PartnerConfig partner) {
    return switch (format) {
      case TRANSIENT -> false;
      case PERSISTENT -> true;
      case EMAIL -> NameIdPolicyCheck.mayKnowMail(partner);
    };
  }

  private static boolean same(NameId ours, NameId theirs) {
    return ours.format().equals(theirs.format()) && ours.value().equals(theirs.value());
  }
}
