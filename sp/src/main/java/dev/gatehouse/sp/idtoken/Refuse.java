package dev.gatehouse.sp.idtoken;

import java.util.Optional;

/** Creates the results of checks. */
final class Refuse {

  private Refuse() {}

  /** Returns a refusal unless the rule is satisfied. */
  static Optional<OpenIdRefusal> unless(boolean satisfied, OpenIdRefusal.Reason reason, String detail) {
    return satisfied ? Optional.empty() : Optional.of(new OpenIdRefusal(reason, detail));
  }
}
