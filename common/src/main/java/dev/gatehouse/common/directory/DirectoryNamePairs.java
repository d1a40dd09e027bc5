package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.FederationEntries.Change;
import dev.gatehouse.common.directory.FederationEntries.Entry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores pairs in an attribute of people's own entries ({@link FederationValues}), so that they move, are replicated and are
 * deleted with the person.
 *
 * <p>The slot value ensures one name per person and partner: an entry accepts a value once (RFC 4511, section 4.6). That nobody
 * else has the name is checked again after the write: a writer that then sees another holder with a lower id, or one that does
 * not go away, removes its own values. Two writers can therefore never both succeed, on however many nodes, as long as all write
 * to one server. If several servers accept writes, load slapd's overlay {@code unique} on the one that all nodes list first.
 */
final class DirectoryNamePairs implements NamePairs {

  private static final int TRIES = 5;

  /** The time that a writer waits for others with higher ids to remove their values; doubled each time. */
  private static final long FIRST_WAIT_MILLIS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryNamePairs.class);

  private final FederationEntries entries;
  private final FederationValues values;
  private final Kind kind;
  private final InstantSource time;
  private final DirectoryPairBatch batch;

  DirectoryNamePairs(FederationEntries entries, Kind kind, InstantSource time) {
    this.entries = entries;
    this.values = new FederationValues(kind);
    this.kind = kind;
    this.time = time;
    this.batch = new DirectoryPairBatch(entries, this);
  }

  @Override
  public Optional<NamePair> byName(String realm, String partner, String name) {
    return holder(realm, partner, name).flatMap(entry -> pair(entry, realm, partner));
  }

  @Override
  public Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    return entries.ofPerson(person).flatMap(entry -> pair(entry, realm, partner));
  }

  @Override
  public List<NamePair> ofPerson(String realm, PersonId person) {
    return entries
        .ofPerson(person)
        .map(entry -> values.pairs(realm, person, entry.values()))
        .orElseGet(List::of);
  }

  /** Reads all pairs of the partner for each page and selects the next ones: a directory has no order of its own. */
  @Override
  public List<NamePair> page(String realm, String partner, String after, int limit) {
    TreeMap<String, NamePair> next = new TreeMap<>();
    entries.each(
        values.slot(realm, partner),
        entry ->
            pair(entry, realm, partner)
                .filter(pair -> pair.name().compareTo(after) > 0)
                .ifPresent(
                    pair -> {
                      next.put(pair.name(), pair);
                      if (next.size() > limit) {
                        next.pollLastEntry();
                      }
                    }));
    return List.copyOf(next.values());
  }

  Optional<NamePair> pair(Entry entry, String realm, String partner) {
    return values.pairs(realm, entry.person(), entry.values()).stream()
        .filter(pair -> pair.partner().equals(partner))
        .findFirst();
  }

  @Override
  public AddResult add(String realm, String partner, NewPair newPair) {
    return retried(() -> tryToAdd(realm, partner, newPair));
  }

  private Optional<AddResult> tryToAdd(String realm, String partner, NewPair newPair) {
    Optional<Entry> entry = entries.ofPerson(newPair.person());
    if (entry.isEmpty()) {
      return Optional.of(new AddResult.Absent());
    }
    Optional<AddResult> present = present(realm, partner, newPair, entry.get());
    if (present.isPresent()) {
      return present;
    }
    if (!holders(realm, partner, newPair.name()).isEmpty()) {
      return Optional.of(new AddResult.NameTaken());
    }
    return settled(write(realm, partner, newPair, entry.get()), realm, partner, newPair);
  }

  /** Returns the result that the person's own entry determines, if it does. */
  Optional<AddResult> present(String realm, String partner, NewPair newPair, Entry entry) {
    return pair(entry, realm, partner)
        .map(
            pair ->
                pair.name().equals(newPair.name()) ? new AddResult.Added(pair, false) : new AddResult.PersonTaken(pair));
  }

  Change write(String realm, String partner, NewPair newPair, Entry entry) {
    Instant now = time.instant().truncatedTo(ChronoUnit.SECONDS);
    NamePair pair = new NamePair(partner, newPair.person(), newPair.name(), Optional.empty(), now);
    List<String> missing = new ArrayList<>(values.all(realm, pair));
    missing.removeAll(entry.values());
    return entries.change(entry, List.of(), missing);
  }

  /** Returns the result of a write; empty if somebody else changed the entry, so that it must be read again. */
  Optional<AddResult> settled(Change change, String realm, String partner, NewPair newPair) {
    return switch (change) {
      case DONE ->
          Optional.of(
              settled(
                  realm,
                  partner,
                  newPair.name(),
                  newPair.person(),
                  entry -> entries.change(entry, values.of(realm, partner, entry.values()), List.of())));
      case NOT_UNIQUE -> Optional.of(new AddResult.NameTaken());
      case GONE -> Optional.of(new AddResult.Absent());
      case CONFLICT -> Optional.empty();
    };
  }

  /** Decides whether a name that was just written may stay; removes it otherwise. */
  private AddResult settled(String realm, String partner, String name, PersonId person, Consumer<Entry> takeBack) {
    for (int i = 0; ; i++) {
      List<Entry> holders = holders(realm, partner, name);
      Optional<Entry> own = holders.stream().filter(entry -> entry.person().equals(person)).findFirst();
      List<Entry> others = holders.stream().filter(entry -> !entry.person().equals(person)).toList();
      if (others.isEmpty()) {
        return own.flatMap(entry -> pair(entry, realm, partner))
            .<AddResult>map(pair -> new AddResult.Added(pair, true))
            .orElseGet(AddResult.Absent::new);
      }
      boolean yields = others.stream().anyMatch(other -> other.person().value().compareTo(person.value()) < 0);
      if (yields || i == TRIES) {
        own.ifPresent(takeBack);
        return new AddResult.NameTaken();
      }
      pause(FIRST_WAIT_MILLIS << i);
    }
  }

  /** Returns the entries that have the name, or had it if it must not be reused. */
  private List<Entry> holders(String realm, String partner, String name) {
    return holdersOf(realm, partner, List.of(name)).getOrDefault(name, List.of());
  }

  /** As {@link #holders} for many names; names without a holder are absent. */
  Map<String, List<Entry>> holdersOf(String realm, String partner, List<String> names) {
    Map<String, String> nameOf = new HashMap<>();
    for (String name : names) {
      nameOf.put(values.name(realm, partner, name), name);
      retiring(realm, partner, name).forEach(ended -> nameOf.put(ended, name));
    }
    Map<String, List<Entry>> holders = new HashMap<>();
    if (nameOf.isEmpty()) {
      return holders;
    }
    for (Entry entry : entries.holding(nameOf.keySet())) {
      entry.values().stream()
          .map(nameOf::get)
          .filter(Objects::nonNull)
          .distinct()
          .forEach(name -> holders.computeIfAbsent(name, n -> new ArrayList<>()).add(entry));
    }
    return holders;
  }

  @Override
  public List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs) {
    return batch.addAll(realm, partner, newPairs);
  }

  @Override
  public AddResult rename(String realm, String partner, String name, String newName) {
    return retried(() -> tryToRename(realm, partner, name, newName));
  }

  private Optional<AddResult> tryToRename(String realm, String partner, String name, String newName) {
    Optional<Entry> entry = holder(realm, partner, name);
    Optional<NamePair> pair = entry.flatMap(found -> pair(found, realm, partner));
    if (entry.isEmpty() || pair.isEmpty()) {
      return Optional.of(new AddResult.Absent());
    }
    if (name.equals(newName)) {
      return Optional.of(new AddResult.Added(pair.get(), false));
    }
    if (!holders(realm, partner, newName).isEmpty()) {
      return Optional.of(new AddResult.NameTaken());
    }
    List<String> old = List.of(values.name(realm, partner, name));
    List<String> added = new ArrayList<>(retiring(realm, partner, name));
    added.add(values.name(realm, partner, newName));
    return switch (entries.change(entry.get(), old, added)) {
      case DONE ->
          Optional.of(
              settled(realm, partner, newName, pair.get().person(), now -> entries.change(now, added, old)));
      case NOT_UNIQUE -> Optional.of(new AddResult.NameTaken());
      case GONE -> Optional.of(new AddResult.Absent());
      case CONFLICT -> Optional.empty();
    };
  }

  /** Returns the values that remain after a name that was given is removed. */
  private List<String> retiring(String realm, String partner, String name) {
    return switch (kind) {
      case GIVEN -> List.of(values.ended(realm, partner, name));
      case LINKED -> List.of();
    };
  }

  @Override
  public Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId) {
    return changed(
        realm,
        partner,
        name,
        (entry, pair) -> {
          NamePair now = new NamePair(partner, pair.person(), name, spProvidedId, pair.since());
          List<String> removed = new ArrayList<>(values.of(realm, partner, entry.values()));
          List<String> added = new ArrayList<>(values.all(realm, now));
          removed.removeAll(values.all(realm, now));
          added.removeAll(entry.values());
          Change change = removed.isEmpty() && added.isEmpty() ? Change.DONE : entries.change(entry, removed, added);
          return new Outcome(change, now);
        });
  }

  @Override
  public Optional<NamePair> remove(String realm, String partner, String name) {
    return changed(
        realm,
        partner,
        name,
        (entry, pair) ->
            new Outcome(
                entries.change(entry, values.of(realm, partner, entry.values()), retiring(realm, partner, name)),
                pair));
  }

  /** A change of one entry, and the pair that it leaves or removed. */
  private record Outcome(Change change, NamePair pair) {}

  /** Changes the pair with that name; empty if there is none (any more). */
  private Optional<NamePair> changed(
      String realm, String partner, String name, BiFunction<Entry, NamePair, Outcome> work) {
    return retried(
        () -> {
          Optional<Entry> entry = holder(realm, partner, name);
          Optional<NamePair> pair = entry.flatMap(found -> pair(found, realm, partner));
          if (entry.isEmpty() || pair.isEmpty()) {
            return Optional.of(Optional.empty());
          }
          Outcome outcome = work.apply(entry.get(), pair.get());
          return switch (outcome.change()) {
            case DONE -> Optional.of(Optional.of(outcome.pair()));
            case GONE -> Optional.of(Optional.empty());
            case CONFLICT, NOT_UNIQUE -> Optional.empty();
          };
        });
  }

  private Optional<Entry> holder(String realm, String partner, String name) {
    List<Entry> holders = entries.holding(List.of(values.name(realm, partner, name)));
    if (holders.size() > 1) {
      LOG.warn("{} entries hold one name of {}; it counts for none of them", holders.size(), partner);
    }
    return holders.size() == 1 ? Optional.of(holders.getFirst()) : Optional.empty();
  }

  /** Repeats work that failed because somebody else changed the entry meanwhile. */
  private static <T> T retried(Supplier<Optional<T>> work) {
    for (int i = 0; i < TRIES; i++) {
      Optional<T> result = work.get();
      if (result.isPresent()) {
        return result.get();
      }
    }
    throw new DirectoryUnavailable("an entry changes faster than it can be read");
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DirectoryUnavailable("interrupted");
    }
  }
}
