package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores the roles of people as administrators, one for each realm that a role is for and one for all realms, and the set-up code by
 * which the first of them is found. A change is durable once its method has returned. Blocks: call on virtual threads only.
 */
public interface AdministratorGrants {

  /**
   * A role of a person.
   *
   * @param realm of the person, by whose directory the id is given
   * @param name the person's login name when the role was granted; it may have changed since
   * @param grant the role, and the realm that it is for
   * @param expiresAt when it ends by itself; empty: never
   * @param grantedBy the administrator
   */
  record PersonGrant(
      String realm, PersonId person, String name, AdministratorGrant grant, Optional<Instant> expiresAt, String grantedBy,
      Instant grantedAt) {

    /** Returns whether it has ended by itself. */
    public boolean isExpired(Instant now) {
      return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }

    /** Returns whether it is everything in all realms, without an end. */
    public boolean isLastingAdmin() {
      return grant.permitsEverywhere(AdministratorRole.ADMIN) && expiresAt.isEmpty();
    }
  }

  /** The result of a change. */
  enum Change {
    DONE,
    /** There is nothing to change. */
    ABSENT,
    /** It would take everything in all realms from the last person who has it, without an end. */
    LAST
  }

  /** Returns all roles of people of that realm, those that have ended included, ordered by the people's names. */
  List<PersonGrant> all(String realm);

  /** Returns the roles of a person, those that have ended included. */
  List<PersonGrant> of(String realm, PersonId person);

  /**
   * Grants a role, in place of the person's role for the same realm.
   *
   * @param evenLast whether the last administrator of all realms may lose that role
   */
  Change put(PersonGrant grant, boolean evenLast);

  /**
   * Removes the person's role for a realm.
   *
   * @param grantedRealm the realm that the role is for; empty: all roles of the person
   * @param evenLast whether the last administrator of all realms may lose that role
   */
  Change remove(String realm, PersonId person, Optional<String> grantedRealm, boolean evenLast);

  /**
   * Stores the digest of the set-up code. Returns false if this deployment has had one, or if a person of that realm has a role.
   */
  boolean offerSetUp(String realm, String codeDigest, Instant expiresAt);

  /** Returns the digest of the set-up code, if there is one that is neither used nor has expired. */
  Optional<String> setUp(Instant now);

  /** Uses the set-up code up and grants the role; returns false if that code cannot be used any more. Exactly one caller succeeds. */
  boolean useSetUp(String codeDigest, PersonGrant grant, Instant now);
}
