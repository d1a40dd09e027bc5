package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The names that partners know people by for good (SAML Core 8.3.7): one per realm, partner and person, and none is ever
 * given to two people, not even after it was terminated. Values are compared exactly. What returned is durable. Blocks: call
 * on virtual threads only.
 *
 * <p>{@code partner} is an entity ID everywhere.
 */
public interface PersistentNameIds {

  /** The person's name at the partner. */
  Optional<PersistentNameId> find(String realm, String partner, PersonId person);

  /**
   * The person's name at the partner; of parallel callers all get the same one.
   *
   * @param fresh makes a random value; asked again where somebody has or had it
   */
  PersistentNameId findOrCreate(String realm, String partner, PersonId person, Supplier<String> fresh);

  /** Whom the partner knows by that name. */
  Optional<PersistentNameId> named(String realm, String partner, String value);

  /** All names of a person, by partner. */
  List<PersistentNameId> ofPerson(String realm, PersonId person);

  /**
   * Gives the holder of a name another one (SAML Core 3.6.1, NewID of an identity provider). The old one goes to nobody else.
   *
   * @return with the new value; empty where nobody has that name
   */
  Optional<PersistentNameId> change(String realm, String partner, String value, Supplier<String> fresh);

  /**
   * Notes what the partner calls the person (SAML Core 3.6.1, NewID of a service provider), or that it does so no more.
   *
   * @return with the id; empty where nobody has that name
   */
  Optional<PersistentNameId> provide(String realm, String partner, String value, Optional<String> spProvidedId);

  /**
   * Ends a name (SAML Core 3.6.1, Terminate): it is never given to anybody again, and the person gets a new one when one is
   * next asked for.
   *
   * @return what it was, to one caller alone; empty where nobody has that name
   */
  Optional<PersistentNameId> terminate(String realm, String partner, String value);

  /** Gives many names at once; the answers are in the order of what was wanted. */
  List<Giving> giveAll(String realm, String partner, List<Wanted> wanted, Supplier<String> fresh);

  /**
   * A page of a partner's names, in an order that stays.
   *
   * @param after the value of the last one of the page before; empty for the first page
   */
  List<PersistentNameId> page(String realm, String partner, String after, int most);

  /** A name that somebody should get. @param value made where absent */
  record Wanted(PersonId person, Optional<String> value) {}

  /** What became of a wish. */
  sealed interface Giving {
    /** The person has the name that was wanted, or one where any would do. @param isNew false where it was there before */
    record Given(PersistentNameId nameId, boolean isNew) implements Giving {}

    /** The person is known to the partner by another name. */
    record HasAnother(PersistentNameId present) implements Giving {}

    /** Somebody else has that name, or had it. */
    record Taken() implements Giving {}

    /** Names are kept in the directory, and it has no such person. */
    record NoSuchPerson() implements Giving {}
  }
}
