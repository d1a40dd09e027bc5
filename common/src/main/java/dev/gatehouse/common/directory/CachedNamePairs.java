package dev.gatehouse.common.directory;

import dev.gatehouse.common.remembered.RememberedRows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Caches pairs in memory, by name and by person. A change through this cache, or one that the node hears of, takes effect at once; any
 * other change takes effect after the configured time. Only existing pairs are cached, never their absence.
 */
public final class CachedNamePairs implements NamePairs {

  private static final int MAX = 50_000;

  private record Key(String realm, String partner, String text) {}

  private final NamePairs pairs;
  private final RememberedRows<Key, NamePair> byName;
  private final RememberedRows<Key, NamePair> byPerson;

  /** @param fresh how old a cached pair may be */
  public CachedNamePairs(NamePairs pairs, Duration fresh) {
    this(pairs, fresh, () -> OptionalLong.of(0));
  }

  /**
   * @param fresh how old a cached pair may be
   * @param heard the number of changes that this node has heard of; empty while one could stay unheard
   */
  public CachedNamePairs(NamePairs pairs, Duration fresh, Supplier<OptionalLong> heard) {
    this.pairs = pairs;
    this.byName = new RememberedRows<>(MAX, Optional.of(fresh), heard);
    this.byPerson = new RememberedRows<>(MAX, Optional.of(fresh), heard);
  }

  @Override
  public Optional<NamePair> byName(String realm, String partner, String name) {
    return byName.get(new Key(realm, partner, name), any -> true, () -> pairs.byName(realm, partner, name));
  }

  @Override
  public Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    return byPerson.get(new Key(realm, partner, person.value()), any -> true, () -> pairs.byPerson(realm, partner, person));
  }

  @Override
  public List<NamePair> ofPerson(String realm, PersonId person) {
    return pairs.ofPerson(realm, person);
  }

  @Override
  public List<NamePair> page(String realm, String partner, String after, int limit) {
    return pairs.page(realm, partner, after, limit);
  }

  /** Needs no invalidation: absence is never cached. */
  @Override
  public AddResult add(String realm, String partner, NewPair newPair) {
    return pairs.add(realm, partner, newPair);
  }

  @Override
  public List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs) {
    return pairs.addAll(realm, partner, newPairs);
  }

  @Override
  public AddResult rename(String realm, String partner, String name, String newName) {
    AddResult renamed = pairs.rename(realm, partner, name, newName);
    forget(realm, partner, name, renamed instanceof AddResult.Added(NamePair pair, _) ? Optional.of(pair) : Optional.empty());
    return renamed;
  }

  @Override
  public Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId) {
    Optional<NamePair> provided = pairs.provide(realm, partner, name, spProvidedId);
    forget(realm, partner, name, provided);
    return provided;
  }

  @Override
  public Optional<NamePair> remove(String realm, String partner, String name) {
    Optional<NamePair> removed = pairs.remove(realm, partner, name);
    forget(realm, partner, name, removed);
    return removed;
  }

  private void forget(String realm, String partner, String name, Optional<NamePair> changed) {
    byName.forget(new Key(realm, partner, name));
    changed.ifPresent(pair -> byPerson.forget(new Key(realm, partner, pair.person().value())));
  }
}
