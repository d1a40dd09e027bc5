package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The second factors of people: authenticator apps with their sealed secrets, the time steps that were used (RFC 6238,
 * section 5.2), recovery codes as digests. Durable when a method returns; of parallel callers at most one gets a yes for the
 * same step or code. Blocks: call on virtual threads only.
 */
public interface SecondFactors {

  /** Apps that one person may have: each makes guessing a little easier. */
  int MOST_FACTORS = 5;

  /**
   * An authenticator app.
   *
   * @param id ours, for forms; at most 64 characters
   * @param label the person's own word for it; at most 64 characters
   * @param digits of its codes
   */
  record Factor(
      String id, String label, int digits, byte[] sealedSecret, Instant createdAt, Optional<Instant> usedAt) {
    @Override
    public String toString() {
      return "Factor[" + id + "]";
    }
  }

  /** Oldest first. */
  List<Factor> of(String realm, PersonId person);

  /** Adds one; false, and nothing happened, where the person would have more than {@code most}. */
  boolean add(String realm, PersonId person, Factor factor, int most);

  /**
   * Whether second factors were lost and no administrator has confirmed since then that the person may set one up: nobody can
   * tell whether they had one.
   */
  default boolean needsConfirmation(String realm, PersonId person) {
    return false;
  }

  /** An administrator's word that the person may set one up; for everybody of the realm where {@code person} is empty. */
  default void confirm(String realm, Optional<PersonId> person, Instant at) {}

  /** Removes one; with the last one go recovery codes and what was counted. False where there was none. */
  boolean remove(String realm, PersonId person, String factor);

  /** Removes all that the person has; false where that was nothing. */
  boolean removeAll(String realm, PersonId person);

  /**
   * Counts a try before its code is looked at; false where {@code most} were wrong in a row, and then it is not counted. Only
   * {@link #accept} and {@link #forgive} make them forgotten.
   */
  boolean admit(String realm, PersonId person, int most);

  /** Marks the step as used; false where that one or a later one was used before. */
  boolean accept(String realm, PersonId person, String factor, long step, Instant at);

  /** Forgets wrong codes: the person proved by other means who they are. */
  void forgive(String realm, PersonId person);

  /** Replaces all recovery codes by these. */
  void keepRecoveryCodes(String realm, PersonId person, Set<String> digests);

  /** Takes the code; false where there is none such, or no more. */
  boolean takeRecoveryCode(String realm, PersonId person, String digest);

  int recoveryCodesLeft(String realm, PersonId person);
}
