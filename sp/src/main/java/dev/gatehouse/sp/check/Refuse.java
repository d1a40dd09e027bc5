package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** Creates the results of checks. */
final class Refuse {

  private Refuse() {}

  /** Returns a refusal unless the rule is satisfied. */
  static Optional<SamlRefusal> unless(boolean satisfied, SamlRefusal.Reason reason, String detail) {
    return satisfied ? Optional.empty() : Optional.of(new SamlRefusal(reason, detail));
  }
}
