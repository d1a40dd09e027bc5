package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The names that partners know people by for good (SAML Core 8.3.7): one per realm, partner and person, and none is ever
 * given to two people. Blocks: call on virtual threads only.
 */
public interface PersistentNameIds {

  /** @param partner its entity ID */
  Optional<String> find(String realm, String partner, PersonId person);

  /**
   * The person's name at the partner; of parallel callers all get the same one. Durable when it returns.
   *
   * @param fresh makes a random value of at most 256 characters; asked again where somebody has it
   */
  String findOrCreate(String realm, String partner, PersonId person, Supplier<String> fresh);

  /** Who is known to the partner by that name. */
  Optional<PersonId> findPerson(String realm, String partner, String value);
}
