package dev.gatehouse.idp.consent;

import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.PartnerConfig;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Nothing is told without the person's consent where the partner's configuration demands it. An answer counts until it is
 * taken back, for the attributes that it was about: one more, and the person is asked again.
 */
public final class ConsentCheck {

  private final Consents consents;

  public ConsentCheck(Consents consents) {
    this.consents = consents;
  }

  /** @param names what would be told */
  public ConsentDecision decide(String realm, PartnerConfig partner, PersonId person, Supplier<Set<String>> names) {
    if (!partner.asServiceProvider().consent()) {
      return new ConsentDecision.NotNeeded();
    }
    return decide(realm, partner.entityId(), person, names);
  }

  /** For a partner of which it is known that people are asked. @param partner its entity ID or the like */
  public ConsentDecision decide(String realm, String partner, PersonId person, Supplier<Set<String>> names) {
    return consents
        .find(realm, partner, person)
        .filter(consent -> consent.covers(names.get()))
        .<ConsentDecision>map(consent -> new ConsentDecision.Given(consent.since()))
        .orElseGet(ConsentDecision.Missing::new);
  }
}
