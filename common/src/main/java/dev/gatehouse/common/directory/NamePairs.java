package dev.gatehouse.common.directory;

import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.PersistentNameIds;
import java.util.List;
import java.util.Optional;

/**
 * Stores one-to-one pairs of people and names permanently: the common part of {@link PersistentNameIds} and {@link AccountLinks}, which
 * each storage implements once. In a realm, a partner knows a person by at most one name, and a name means at most one person. The store
 * decides every race. A change is durable once its method has returned; names are compared exactly.
 */
public interface NamePairs {

  /** The purpose of pairs. */
  enum Kind {
    /** Names that our idp gave: a name that was removed or changed is never reused (SAML Core 8.3.7). */
    GIVEN,
    /** Links from a partner's names to local accounts: a person whose link was removed may be linked again. */
    LINKED
  }

  Optional<NamePair> byName(String realm, String partner, String name);

  Optional<NamePair> byPerson(String realm, String partner, PersonId person);

  /** Returns all pairs of a person, ordered by partner. */
  List<NamePair> ofPerson(String realm, PersonId person);

  AddResult add(String realm, String partner, NewPair newPair);

  /** Adds many pairs; the results are in the order of {@code newPairs}. */
  List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs);

  /** Gives the pair with that name another name. */
  AddResult rename(String realm, String partner, String name, String newName);

  /** Records the SPProvidedID, or that there is none; empty if there is no such pair. */
  Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId);

  /** Removes a pair and returns it to exactly one caller. */
  Optional<NamePair> remove(String realm, String partner, String name);

  /** Returns up to {@code limit} pairs of a partner behind the one with the name {@code after}, in a stable order. */
  List<NamePair> page(String realm, String partner, String after, int limit);

  /** A pair to be added. */
  record NewPair(PersonId person, String name) {}

  /** The result of adding or renaming a pair. */
  sealed interface AddResult {
    /** @param isNew false if exactly this pair existed before */
    record Added(NamePair pair, boolean isNew) implements AddResult {}

    /** The partner knows the person by another name. */
    record PersonTaken(NamePair present) implements AddResult {}

    /** The name belongs, or belonged, to another person. */
    record NameTaken() implements AddResult {}

    /** There is no pair to rename, or no such person to store it. */
    record Absent() implements AddResult {}
  }
}
