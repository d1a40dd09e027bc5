package dev.gatehouse.idp.consent;

import dev.gatehouse.common.admin.ReleaseView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The decision whether attributes may be released to a partner. */
public sealed interface ConsentDecision {
  /** No consent is required. */
  record NotNeeded() implements ConsentDecision {}

  /**
   * The person has consented.
   *
   * @param since the time of the last consent
   */
  record Given(Instant since) implements ConsentDecision {}

  /** The person has not consented to all attributes. */
  record Missing() implements ConsentDecision {}

  /**
   * Returns the decision for administrators.
   *
   * @param names what the consent must cover
   */
  default ReleaseView.ReleaseConsent view(Set<String> names) {
    List<String> sorted = List.copyOf(new TreeSet<>(names));
    return switch (this) {
      case NotNeeded notNeeded -> new ReleaseView.ReleaseConsent("not-needed", Optional.empty(), sorted);
      case Given(Instant since) -> new ReleaseView.ReleaseConsent("given", Optional.of(since), sorted);
      case Missing missing -> new ReleaseView.ReleaseConsent("missing", Optional.empty(), sorted);
    };
  }
}
