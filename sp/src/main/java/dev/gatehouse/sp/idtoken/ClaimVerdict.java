package dev.gatehouse.sp.idtoken;

import java.util.Optional;

/**
 * A value that a provider states about a person, and whether it counts.
 *
 * @param dropped why the value does not count; empty if it counts
 */
public record ClaimVerdict(String claim, String value, Optional<DropReason> dropped) {

  /** Reasons why a value does not count. */
  public enum DropReason {
    /** The provider has not verified the e-mail address, and {@code accept} does not list it. */
    NOT_VERIFIED,
    /** The claim gives rights, and the provider is not the realm's own, or {@code accept} does not list the value. */
    GIVES_RIGHTS,
    /** {@code accept} lists other values of the claim. */
    NOT_ACCEPTED
  }
}
