package dev.gatehouse.sp.idtoken;

import java.util.Optional;

/** Makes the results of checks. */
final class Refuse {

  private Refuse() {}

  /** A refusal unless the rule is kept. */
  static Optional<OpenIdRefusal> unless(boolean kept, OpenIdRefusal.Reason reason, String detail) {
    return kept ? Optional.empty() : Optional.of(new OpenIdRefusal(reason, detail));
  }
}
