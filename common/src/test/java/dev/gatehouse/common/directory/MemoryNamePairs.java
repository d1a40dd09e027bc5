package dev.gatehouse.common.directory;

import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.PairedAccountLinks;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Pairs in a list, for tests; the simplest implementation of the contract. */
public final class MemoryNamePairs implements NamePairs {

  private record Kept(String realm, NamePair pair) {}

  private final Kind kind;
  private final InstantSource time;
  private final List<Kept> all = new ArrayList<>();
  private final Set<String> retired = new HashSet<>();

  public MemoryNamePairs(Kind kind, InstantSource time) {
    this.kind = kind;
    this.time = time;
  }

  /** Names that an idp gives, in memory. */
  public static PersistentNameIds nameIds(InstantSource time) {
    NamePairs pairs = new MemoryNamePairs(Kind.GIVEN, time);
    return new PairedPersistentNameIds(realm -> pairs);
  }

  /** Links of an sp, in memory. */
  public static AccountLinks links(InstantSource time) {
    NamePairs pairs = new MemoryNamePairs(Kind.LINKED, time);
    return new PairedAccountLinks(realm -> pairs);
  }

  @Override
  public synchronized Optional<NamePair> byName(String realm, String partner, String name) {
    return where(realm, pair -> pair.partner().equals(partner) && pair.name().equals(name)).stream().findFirst();
  }

  @Override
  public synchronized Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    return where(realm, pair -> pair.partner().equals(partner) && pair.person().equals(person)).stream().findFirst();
  }

  @Override
  public synchronized List<NamePair> ofPerson(String realm, PersonId person) {
    return where(realm, pair -> pair.person().equals(person)).stream()
        .sorted(Comparator.comparing(NamePair::partner))
        .toList();
  }

  @Override
  public synchronized AddResult add(String realm, String partner, NewPair newPair) {
    Optional<NamePair> present = byPerson(realm, partner, newPair.person());
    if (present.isPresent()) {
      boolean same = present.get().name().equals(newPair.name());
      return same ? new AddResult.Added(present.get(), false) : new AddResult.PersonTaken(present.get());
    }
    if (isTaken(realm, partner, newPair.name())) {
      return new AddResult.NameTaken();
    }
    NamePair pair = new NamePair(partner, newPair.person(), newPair.name(), Optional.empty(), time.instant());
    all.add(new Kept(realm, pair));
    return new AddResult.Added(pair, true);
  }

  @Override
  public synchronized List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs) {
    return newPairs.stream().map(newPair -> add(realm, partner, newPair)).toList();
  }

  @Override
  public synchronized AddResult rename(String realm, String partner, String name, String newName) {
    Optional<NamePair> old = byName(realm, partner, name);
    if (old.isEmpty()) {
      return new AddResult.Absent();
    }
    if (name.equals(newName)) {
      return new AddResult.Added(old.get(), false);
    }
    if (isTaken(realm, partner, newName)) {
      return new AddResult.NameTaken();
    }
    remove(realm, partner, name);
    NamePair pair = new NamePair(partner, old.get().person(), newName, old.get().spProvidedId(), old.get().since());
    all.add(new Kept(realm, pair));
    return new AddResult.Added(pair, true);
  }

  @Override
  public synchronized Optional<NamePair> provide(
      String realm, String partner, String name, Optional<String> spProvidedId) {
    Optional<NamePair> old = byName(realm, partner, name);
    return old.map(
        pair -> {
          NamePair with = new NamePair(partner, pair.person(), name, spProvidedId, pair.since());
          all.set(all.indexOf(new Kept(realm, pair)), new Kept(realm, with));
          return with;
        });
  }

  @Override
  public synchronized Optional<NamePair> remove(String realm, String partner, String name) {
    Optional<NamePair> old = byName(realm, partner, name);
    old.ifPresent(
        pair -> {
          all.remove(new Kept(realm, pair));
          if (kind == Kind.GIVEN) {
            retired.add(realm + "\n" + partner + "\n" + name);
          }
        });
    return old;
  }

  @Override
  public synchronized List<NamePair> page(String realm, String partner, String after, int most) {
    return where(realm, pair -> pair.partner().equals(partner) && pair.name().compareTo(after) > 0).stream()
        .sorted(Comparator.comparing(NamePair::name))
        .limit(most)
        .toList();
  }

  private boolean isTaken(String realm, String partner, String name) {
    return byName(realm, partner, name).isPresent() || retired.contains(realm + "\n" + partner + "\n" + name);
  }

  private List<NamePair> where(String realm, Predicate<NamePair> fits) {
    return all.stream().filter(kept -> kept.realm().equals(realm)).map(Kept::pair).filter(fits).toList();
  }
}
