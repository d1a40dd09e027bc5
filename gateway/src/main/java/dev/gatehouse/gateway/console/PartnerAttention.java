package dev.gatehouse.gateway.console;

import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.realm.PartnerView;
import dev.gatehouse.gateway.admin.realm.PartnerView.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Partners that need attention: those without usable metadata, and those whose certificates end. */
final class PartnerAttention {

  /** A partner that is refused, and why. */
  record Unusable(String realm, String name, String text, String href) {}

  /** A certificate that ends soon. */
  record Ending(String realm, String name, String use, Instant at, boolean ended, String href) {}

  /** @param ending the first to end first */
  record Found(List<Unusable> unusable, List<Ending> ending) {}

  /** As the registry announces them, in the log. */
  private static final Duration SOON = Duration.ofDays(30);

  private final PartnerRegistry partners;
  private final InstantSource time;

  PartnerAttention(PartnerRegistry partners, InstantSource time) {
    this.partners = partners;
    this.time = time;
  }

  Found in(List<String> realms) {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
    for (String realm : realms) {
      for (Partner partner : partners.all(realm)) {
        look(realm, PartnerView.of(partner), found);
      }
    }
    found.ending().sort(Comparator.comparing(Ending::at));
    return found;
  }

  private void look(String realm, PartnerView partner, Found found) {
    String href = Address.ofRealm(realm, "partner", "id", partner.entityId());
    if (partner.metadata().equals("unusable")) {
      found.unusable().add(new Unusable(realm, partner.displayName(), partner.problem().orElse("-"), href));
    }
    Instant now = time.instant();
    for (Certificate certificate : partner.certificates()) {
      if (certificate.expiresAt().isBefore(now.plus(SOON))) {
        boolean hasEnded = !certificate.expiresAt().isAfter(now);
        found.ending().add(new Ending(realm, partner.displayName(), certificate.use(), certificate.expiresAt(), hasEnded, href));
      }
    }
  }
}
