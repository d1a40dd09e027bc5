package dev.gatehouse.idp.consent;

import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.PartnerConfig;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Checks the person's consent to a release, if the partner's configuration demands consent. A consent is valid until it
 * is revoked, and only for its attributes: if one more is to be released, the person is asked again.
 */
public final class ConsentCheck {

  private final Consents consents;

  public ConsentCheck(Consents consents) {
    this.consents = consents;
  }

  /** @param names the attributes that would be released */
  public ConsentDecision decide(String realm, PartnerConfig partner, PersonId person, Supplier<Set<String>> names) {
    if (!partner.asServiceProvider().consent()) {
      return new ConsentDecision.NotNeeded();
    }
    return decide(realm, partner.entityId(), person, names);
  }

  /**
   * Decides for a partner that requires consent.
   *
   * @param partner its entity ID or another identifier
   */
  public ConsentDecision decide(String realm, String partner, PersonId person, Supplier<Set<String>> names) {
    return consents
        .find(realm, partner, person)
        .filter(consent -> consent.covers(names.get()))
        .<ConsentDecision>map(consent -> new ConsentDecision.Given(consent.since()))
        .orElseGet(ConsentDecision.Missing::new);
  }
}
