package dev.gatehouse.sp.acs;

import java.util.Optional;

/**
 * A value that an identity provider states about a person, and whether it counts.
 *
 * @param name the plain name of the attribute
 * @param dropped why the value does not count; empty if it counts
 */
public record AttributeVerdict(String name, String value, Optional<DropReason> dropped) {

  /** Reasons why a value does not count. */
  public enum DropReason {
    /** The provider does not own the value's scope. */
    FOREIGN_SCOPE,
    /** The attribute gives rights, and the provider is not the realm's own, or {@code accept} does not list the value. */
    GIVES_RIGHTS,
    /** {@code accept} lists other values of the attribute. */
    NOT_ACCEPTED
  }
}
