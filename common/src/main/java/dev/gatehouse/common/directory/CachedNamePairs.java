package dev.gatehouse.common.directory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Caches pairs in memory, by name and by person. A change through this cache takes effect at once; any other change takes effect after
 * the configured time. Only existing pairs are cached, never their absence.
 */
public final class CachedNamePairs implements NamePairs {

  private static final int MAX = 50_000;

  private record Key(String realm, String partner, String text) {}

  private final NamePairs pairs;
  private final Cache<Key, NamePair> byName;
  private final Cache<Key, NamePair> byPerson;

  /** @param fresh how old a cached pair may be */
  public CachedNamePairs(NamePairs pairs, Duration fresh) {
    this.pairs = pairs;
    this.byName = Caffeine.newBuilder().maximumSize(MAX).expireAfterWrite(fresh).build();
    this.byPerson = Caffeine.newBuilder().maximumSize(MAX).expireAfterWrite(fresh).build();
  }

  /** Loads under the cache's lock of the key: an invalidation waits for the load and removes its result. */
  @Override
  public Optional<NamePair> byName(String realm, String partner, String name) {
    return Optional.ofNullable(
        byName.get(new Key(realm, partner, name), key -> pairs.byName(realm, partner, name).orElse(null)));
  }

  @Override
  public Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    return Optional.ofNullable(
        byPerson.get(
            new Key(realm, partner, person.value()), key -> pairs.byPerson(realm, partner, person).orElse(null)));
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
    byName.invalidate(new Key(realm, partner, name));
    changed.ifPresent(pair -> byPerson.invalidate(new Key(realm, partner, pair.person().value())));
  }
}
