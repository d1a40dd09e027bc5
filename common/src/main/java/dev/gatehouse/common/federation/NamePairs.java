package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;

/**
 * One-to-one pairs of people and names, kept for good: what {@link PersistentNameIds} and {@link AccountLinks} have in common
 * and each form of storage implements once. In a realm, a partner knows a person by one name at most and a name means one
 * person at most. The store decides every race; what returned is durable; names are compared exactly.
 */
public interface NamePairs {

  /** What pairs are for. */
  enum Kind {
    /** Names that our idp gave: one that was removed or changed never comes back (SAML Core 8.3.7). */
    GIVEN,
    /** Links from a partner's names to local accounts: who was unlinked may be linked again. */
    LINKED
  }

  Optional<NamePair> byName(String realm, String partner, String name);

  Optional<NamePair> byPerson(String realm, String partner, PersonId person);

  /** All pairs of a person, by partner. */
  List<NamePair> ofPerson(String realm, PersonId person);

  Adding add(String realm, String partner, Wish wish);

  /** The answers are in the order of the wishes. */
  List<Adding> addAll(String realm, String partner, List<Wish> wishes);

  /** Gives the pair with that name another one. */
  Adding rename(String realm, String partner, String name, String newName);

  /** Notes the SPProvidedID, or that there is none; empty where there is no such pair. */
  Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId);

  /** Removes a pair; it is returned to one caller alone. */
  Optional<NamePair> remove(String realm, String partner, String name);

  /** Up to {@code most} pairs of a partner behind the one with the name {@code after}, in an order that stays. */
  List<NamePair> page(String realm, String partner, String after, int most);

  /** A pair that should be. */
  record Wish(PersonId person, String name) {}

  /** What became of a wish. */
  sealed interface Adding {
    /** @param isNew false where just this pair was there before */
    record Added(NamePair pair, boolean isNew) implements Adding {}

    /** The partner knows the person by another name. */
    record PersonTaken(NamePair present) implements Adding {}

    /** The name is, or was, another's. */
    record NameTaken() implements Adding {}

    /** There is no pair to rename, or no such person to keep it. */
    record Absent() implements Adding {}
  }
}
