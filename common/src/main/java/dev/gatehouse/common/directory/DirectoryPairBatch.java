package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.FederationEntries.Change;
import dev.gatehouse.common.directory.FederationEntries.Entry;
import dev.gatehouse.common.directory.NamePairs.Adding;
import dev.gatehouse.common.directory.NamePairs.Wish;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Adds many pairs with three searches for each {@value #AT_ONCE} of them instead of three for each: for the entries, for the
 * names' holders before the writes, and for the holders after them. The writes run in parallel.
 */
final class DirectoryPairBatch {

  /** Clauses of one filter: few enough for any server's limits. */
  private static final int AT_ONCE = 100;

  /** Number of parallel writes; people who log in share the connections. */
  private static final int MAX_PARALLEL_WRITES = 4;

  private final FederationEntries entries;
  private final DirectoryNamePairs pairs;

  DirectoryPairBatch(FederationEntries entries, DirectoryNamePairs pairs) {
    this.entries = entries;
    this.pairs = pairs;
  }

  List<Adding> addAll(String realm, String partner, List<Wish> wishes) {
    List<Adding> results = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i += AT_ONCE) {
      results.addAll(addSome(realm, partner, wishes.subList(i, Math.min(wishes.size(), i + AT_ONCE))));
    }
    return results;
  }

  private List<Adding> addSome(String realm, String partner, List<Wish> wishes) {
    Map<PersonId, Entry> people = new HashMap<>();
    entries.ofPeople(wishes.stream().map(Wish::person).toList()).forEach(entry -> people.put(entry.person(), entry));
    Map<String, List<Entry>> taken = pairs.holdersOf(realm, partner, names(wishes));
    Map<Wish, Adding> decided = new HashMap<>();
    Map<Wish, Entry> open = new LinkedHashMap<>();
    Set<Object> seen = new HashSet<>();
    for (Wish wish : wishes) {
      Optional<Entry> entry = Optional.ofNullable(people.get(wish.person()));
      // Both are added to the set: of wishes that conflict with each other, the first one must be decided first.
      boolean first = seen.add(wish.name()) & seen.add(wish.person());
      if (entry.isEmpty()) {
        decided.put(wish, new Adding.Absent());
      } else if (first) {
        before(realm, partner, wish, entry.get(), taken)
            .ifPresentOrElse(adding -> decided.put(wish, adding), () -> open.put(wish, entry.get()));
      }
    }
    decided.putAll(settled(realm, partner, written(realm, partner, open)));
    // The rest conflicted with another wish of the batch or with a concurrent change: they are added one by one.
    return wishes.stream()
        .map(
            wish -> Optional.ofNullable(decided.remove(wish)).orElseGet(() -> pairs.add(realm, partner, wish)))
        .toList();
  }

  private Optional<Adding> before(
      String realm, String partner, Wish wish, Entry entry, Map<String, List<Entry>> taken) {
    Optional<Adding> present = pairs.present(realm, partner, wish, entry);
    return present.isEmpty() && taken.containsKey(wish.name()) ? Optional.of(new Adding.NameTaken()) : present;
  }

  private static List<String> names(Collection<Wish> wishes) {
    return wishes.stream().map(Wish::name).toList();
  }

  private Map<Wish, Change> written(String realm, String partner, Map<Wish, Entry> open) {
    Map<Wish, Change> written = new LinkedHashMap<>();
    Semaphore permits = new Semaphore(MAX_PARALLEL_WRITES);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Wish, Future<Change>> running = new LinkedHashMap<>();
      open.forEach(
          (wish, entry) -> running.put(wish, threads.submit(() -> write(permits, realm, partner, wish, entry))));
      for (Map.Entry<Wish, Future<Change>> one : running.entrySet()) {
        written.put(one.getKey(), one.getValue().get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DirectoryUnavailable("interrupted");
    } catch (ExecutionException e) {
      throw new DirectoryUnavailable(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
    }
    return written;
  }

  private Change write(Semaphore permits, String realm, String partner, Wish wish, Entry entry)
      throws InterruptedException {
    permits.acquire();
    try {
      return pairs.write(realm, partner, wish, entry);
    } finally {
      permits.release();
    }
  }

  /** Checks all writes with one search; a name with further holders is decided singly. */
  private Map<Wish, Adding> settled(String realm, String partner, Map<Wish, Change> written) {
    Map<Wish, Adding> settled = new HashMap<>();
    Map<String, List<Entry>> holders = pairs.holdersOf(realm, partner, names(written.keySet()));
    written.forEach(
        (wish, change) -> {
          List<Entry> mine = holders.getOrDefault(wish.name(), List.of());
          boolean alone = mine.size() == 1 && mine.getFirst().person().equals(wish.person());
          Optional<NamePair> pair =
              alone && change == Change.DONE ? pairs.pair(mine.getFirst(), realm, partner) : Optional.empty();
          pair.<Adding>map(kept -> new Adding.Added(kept, true))
              .or(() -> pairs.settled(change, realm, partner, wish))
              .ifPresent(adding -> settled.put(wish, adding));
        });
    return settled;
  }
}
