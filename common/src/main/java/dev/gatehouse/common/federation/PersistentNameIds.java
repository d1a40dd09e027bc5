package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores the permanent names by which partners know people (SAML Core 8.3.7): one per realm, partner and person. A name is never given
 * to two people, not even after it was terminated. Values are compared exactly. A change is durable once its method has returned.
 * Blocks: call on virtual threads only.
 *
 * <p>{@code partner} is an entity ID everywhere.
 */
public interface PersistentNameIds {

  /** Returns the person's name at the partner. */
  Optional<PersistentNameId> find(String realm, String partner, PersonId person);

  /**
   * Returns the person's name at the partner, created if necessary; parallel callers all get the same one.
   *
   * @param fresh creates a random value; called again if another person has or had it
   */
  PersistentNameId findOrCreate(String realm, String partner, PersonId person, Supplier<String> fresh);

  /** Returns the person whom the partner knows by that name. */
  Optional<PersistentNameId> named(String realm, String partner, String value);

  /** Returns all names of a person, ordered by partner. */
  List<PersistentNameId> ofPerson(String realm, PersonId person);

  /**
   * Gives the holder of a name another name (SAML Core 3.6.1, NewID of an identity provider). The old name is never reused.
   *
   * @return the name with the new value; empty if nobody has that name
   */
  Optional<PersistentNameId> change(String realm, String partner, String value, Supplier<String> fresh);

  /**
   * Records the partner's identifier of the person (SAML Core 3.6.1, NewID of a service provider), or its removal.
   *
   * @return the name with the identifier; empty if nobody has that name
   */
  Optional<PersistentNameId> provide(String realm, String partner, String value, Optional<String> spProvidedId);

  /**
   * Ends a name (SAML Core 3.6.1, Terminate): it is never reused, and the person gets a new one at the next request.
   *
   * @return the former name, to exactly one caller; empty if nobody has that name
   */
  Optional<PersistentNameId> terminate(String realm, String partner, String value);

  /** Gives many names at once; the results are in the order of the requests. */
  List<Giving> giveAll(String realm, String partner, List<Wanted> wanted, Supplier<String> fresh);

  /**
   * Returns a page of a partner's names, in a stable order.
   *
   * @param after the value of the last name of the page before; empty for the first page
   */
  List<PersistentNameId> page(String realm, String partner, String after, int limit);

  /**
   * A name to be given to a person.
   *
   * @param value generated if absent
   */
  record Wanted(PersonId person, Optional<String> value) {}

  /** The result of giving a name. */
  sealed interface Giving {
    /**
     * The person has the requested name, or any name if none in particular was requested.
     *
     * @param isNew false if it existed before
     */
    record Given(PersistentNameId nameId, boolean isNew) implements Giving {}

    /** The person is known to the partner by another name. */
    record HasAnother(PersistentNameId present) implements Giving {}

    /** Another person has or had that name. */
    record Taken() implements Giving {}

    /** Names are stored in the directory, which has no such person. */
    record NoSuchPerson() implements Giving {}
  }
}
