package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** Makes the results of checks. */
final class Refuse {

  private Refuse() {}

  /** A refusal unless the rule is kept. */
  static Optional<SamlRefusal> unless(boolean kept, SamlRefusal.Reason reason, String detail) {
    return kept ? Optional.empty() : Optional.of(new SamlRefusal(reason, detail));
  }
}
