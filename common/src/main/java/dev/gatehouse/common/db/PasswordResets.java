package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;

/**
 * Stores the links for new passwords as digests of their tokens: at most one for each person, the latest. A change is durable once its
 * method has returned; of parallel callers at most one takes a link. Blocks: call on virtual threads only.
 */
public interface PasswordResets {

  /**
   * A link.
   *
   * @param digest of its token; at most 64 characters
   * @param provedBy hash of the browser in which the person's second factor was verified for this link; empty if it was not
   */
  record PasswordReset(PersonId person, String digest, Instant createdAt, Instant expiresAt, String provedBy) {}

  /** Stores the link in place of the person's former one. */
  void put(String realm, PasswordReset reset);

  /** Returns the link, without taking it. */
  Optional<PasswordReset> find(String realm, String digest);

  /** Returns the person's link. */
  Optional<PasswordReset> ofPerson(String realm, PersonId person);

  /** Takes the link; returns false if it is gone already. */
  boolean take(String realm, String digest);

  /** Removes the person's link; returns false if there is none. */
  boolean remove(String realm, PersonId person);

  /** Removes links that expired before this time. */
  void removeExpired(Instant time);
}
