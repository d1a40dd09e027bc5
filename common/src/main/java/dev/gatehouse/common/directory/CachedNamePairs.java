package dev.gatehouse.common.directory;

import dev.gatehouse.common.remembered.RememberedRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Caches pairs in memory, by name and by person. A change through this cache, or one that the node hears of, takes effect at once; any
 * other change takes effect after the configured time, and never where pairs have no age. Only existing pairs are cached, never their
 * absence.
 */
public final class CachedNamePairs implements NamePairs {

  /** What a pair takes in memory with its key, about. */
  private static final int BYTES_EACH = 400;

  private static final int FEWEST = 50_000;
  private static final int MOST = 1_000_000;

  /** At most a thirty-second part of the heap by name, and another one by person: a node looks for its pairs in one of the two ways. */
  private static final int MAX = Math.clamp(Runtime.getRuntime().maxMemory() / 32 / BYTES_EACH, FEWEST, MOST);

  private record Key(String realm, String partner, String text) {}

  private final NamePairs pairs;
  private final RememberedRows<Key, NamePair> byName;
  private final RememberedRows<Key, NamePair> byPerson;
  /** Partners with pairs, each as one string: each message has brought another one. */
  private final Map<String, String> partners = new ConcurrentHashMap<>();
  /** Changes that failed, perhaps after they were committed. */
  private final AtomicLong unclear = new AtomicLong();

  /**
   * Pairs that others change, too.
   *
   * @param fresh how old a cached pair may be
   */
  public CachedNamePairs(NamePairs pairs, Duration fresh) {
    this(pairs, Optional.of(fresh), () -> OptionalLong.of(0));
  }

  /**
   * Pairs that may be as old as they are, because nobody changes them without a word.
   *
   * @param heard the number of changes that this node has heard of; empty while one could stay unheard
   */
  public CachedNamePairs(NamePairs pairs, Supplier<OptionalLong> heard) {
    this(pairs, Optional.empty(), heard);
  }

  private CachedNamePairs(NamePairs pairs, Optional<Duration> fresh, Supplier<OptionalLong> heard) {
    this.pairs = pairs;
    this.byName = new RememberedRows<>(MAX, fresh, () -> changes(heard.get()));
    this.byPerson = new RememberedRows<>(MAX, fresh, () -> changes(heard.get()));
  }

  /** Both numbers only rise, and so each change of either makes another sum. */
  private OptionalLong changes(OptionalLong heard) {
    return heard.isPresent() ? OptionalLong.of(heard.getAsLong() + unclear.get()) : heard;
  }

  @Override
  public Optional<NamePair> byName(String realm, String partner, String name) {
    Key key = key(realm, partner, name);
    return byName.get(
        key,
        any -> true,
        () -> pairs.byName(realm, partner, name).map(pair -> sharing(pair, key.partner(), pair.person(), name)));
  }

  @Override
  public Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    Key key = key(realm, partner, person.value());
    return byPerson.get(
        key,
        any -> true,
        () -> pairs.byPerson(realm, partner, person).map(pair -> sharing(pair, key.partner(), person, pair.name())));
  }

  private Key key(String realm, String partner, String text) {
    return new Key(realm, partners.getOrDefault(partner, partner), text);
  }

  /** Returns an equal pair of strings that its key has in memory anyway. */
  private NamePair sharing(NamePair pair, String partner, PersonId person, String name) {
    partners.putIfAbsent(partner, partner);
    NamePair lean = new NamePair(partner, person, name, pair.spProvidedId(), pair.since());
    return lean.equals(pair) ? lean : pair;
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
    AddResult renamed = changing(() -> pairs.rename(realm, partner, name, newName));
    forget(realm, partner, name, renamed instanceof AddResult.Added(NamePair pair, _) ? Optional.of(pair) : Optional.empty());
    return renamed;
  }

  @Override
  public Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId) {
    Optional<NamePair> provided = changing(() -> pairs.provide(realm, partner, name, spProvidedId));
    forget(realm, partner, name, provided);
    return provided;
  }

  @Override
  public Optional<NamePair> remove(String realm, String partner, String name) {
    Optional<NamePair> removed = changing(() -> pairs.remove(realm, partner, name));
    forget(realm, partner, name, removed);
    return removed;
  }

  /** A change that fails may have been committed, and nobody says whose pair it was about: nothing that was read before counts. */
  private <T> T changing(Supplier<T> change) {
    try {
      return change.get();
    } catch (RuntimeException | Error e) {
      unclear.incrementAndGet();
      throw e;
    }
  }

  private void forget(String realm, String partner, String name, Optional<NamePair> changed) {
    byName.forget(new Key(realm, partner, name));
    changed.ifPresent(pair -> byPerson.forget(new Key(realm, partner, pair.person().value())));
  }
}
