package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.AddResult;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.directory.PersonId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Stores persistent NameIDs as pairs of {@link NamePairs.Kind#GIVEN}, in the storage of each realm. */
public final class PairedPersistentNameIds implements PersistentNameIds {

  /** Random values of 128 bits or more are never equal by chance; five equal ones in a row mean that {@code fresh} is broken. */
  private static final int TRIES = 5;

  private final Function<String, NamePairs> pairs;

  /** @param pairs returns the pairs of a realm */
  public PairedPersistentNameIds(Function<String, NamePairs> pairs) {
    this.pairs = pairs;
  }

  @Override
  public Optional<PersistentNameId> find(String realm, String partner, PersonId person) {
    return pairs.apply(realm).byPerson(realm, partner, person).map(PairedPersistentNameIds::nameId);
  }

  @Override
  public PersistentNameId findOrCreate(String realm, String partner, PersonId person, Supplier<String> fresh) {
    NamePairs store = pairs.apply(realm);
    Optional<NamePair> known = store.byPerson(realm, partner, person);
    for (int i = 0; i < TRIES && known.isEmpty(); i++) {
      known =
          switch (store.add(realm, partner, new NewPair(person, fresh.get()))) {
            case AddResult.Added(NamePair pair, _) -> Optional.of(pair);
            case AddResult.PersonTaken(NamePair present) -> Optional.of(present);
            case AddResult.NameTaken() -> Optional.empty();
            case AddResult.Absent() -> throw new IllegalStateException("nobody has the id " + person.value());
          };
    }
    return known
        .map(PairedPersistentNameIds::nameId)
        .orElseThrow(() -> new IllegalStateException("No fresh value was unique in " + TRIES + " tries"));
  }

  @Override
  public Optional<PersistentNameId> named(String realm, String partner, String value) {
    return pairs.apply(realm).byName(realm, partner, value).map(PairedPersistentNameIds::nameId);
  }

  @Override
  public List<PersistentNameId> ofPerson(String realm, PersonId person) {
    return pairs.apply(realm).ofPerson(realm, person).stream().map(PairedPersistentNameIds::nameId).toList();
  }

  @Override
  public Optional<PersistentNameId> change(String realm, String partner, String value, Supplier<String> fresh) {
    for (int i = 0; i < TRIES; i++) {
      switch (pairs.apply(realm).rename(realm, partner, value, fresh.get())) {
        case AddResult.Added(NamePair pair, _) -> {
          return Optional.of(nameId(pair));
        }
        case AddResult.Absent() -> {
          return Optional.empty();
        }
        case AddResult.NameTaken(), AddResult.PersonTaken(_) -> {}
      }
    }
    throw new IllegalStateException("No fresh value was unique in " + TRIES + " tries");
  }

  @Override
  public Optional<PersistentNameId> provide(
      String realm, String partner, String value, Optional<String> spProvidedId) {
    return pairs.apply(realm).provide(realm, partner, value, spProvidedId).map(PairedPersistentNameIds::nameId);
  }

  @Override
  public Optional<PersistentNameId> terminate(String realm, String partner, String value) {
    return pairs.apply(realm).remove(realm, partner, value).map(PairedPersistentNameIds::nameId);
  }

  @Override
  public List<Giving> giveAll(String realm, String partner, List<Wanted> wanted, Supplier<String> fresh) {
    List<NewPair> newPairs =
        wanted.stream().map(one -> new NewPair(one.person(), one.value().orElseGet(fresh))).toList();
    List<AddResult> added = pairs.apply(realm).addAll(realm, partner, newPairs);
    List<Giving> givings = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      givings.add(giving(wanted.get(i), added.get(i)));
    }
    return givings;
  }

  private static Giving giving(Wanted wanted, AddResult added) {
    return switch (added) {
      case AddResult.Added(NamePair pair, boolean isNew) -> new Giving.Given(nameId(pair), isNew);
      case AddResult.PersonTaken(NamePair present) ->
          wanted.value().isEmpty() ? new Giving.Given(nameId(present), false) : new Giving.HasAnother(nameId(present));
      case AddResult.NameTaken() -> new Giving.Taken();
      case AddResult.Absent() -> new Giving.NoSuchPerson();
    };
  }

  @Override
  public List<PersistentNameId> page(String realm, String partner, String after, int limit) {
    return pairs.apply(realm).page(realm, partner, after, limit).stream().map(PairedPersistentNameIds::nameId).toList();
  }

  private static PersistentNameId nameId(NamePair pair) {
    return new PersistentNameId(pair.partner(), pair.person(), pair.name(), pair.spProvidedId(), pair.since());
  }
}
