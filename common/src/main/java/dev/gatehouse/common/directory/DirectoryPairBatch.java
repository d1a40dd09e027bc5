package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.FederationEntries.Change;
import dev.gatehouse.common.directory.FederationEntries.Entry;
import dev.gatehouse.common.directory.NamePairs.AddResult;
import dev.gatehouse.common.directory.NamePairs.NewPair;
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

  List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs) {
    List<AddResult> results = new ArrayList<>();
    for (int i = 0; i < newPairs.size(); i += AT_ONCE) {
      results.addAll(addSome(realm, partner, newPairs.subList(i, Math.min(newPairs.size(), i + AT_ONCE))));
    }
    return results;
  }

  private List<AddResult> addSome(String realm, String partner, List<NewPair> newPairs) {
    Map<PersonId, Entry> people = new HashMap<>();
    entries.ofPeople(newPairs.stream().map(NewPair::person).toList()).forEach(entry -> people.put(entry.person(), entry));
    Map<String, List<Entry>> taken = pairs.holdersOf(realm, partner, names(newPairs));
    Map<NewPair, AddResult> decided = new HashMap<>();
    Map<NewPair, Entry> open = new LinkedHashMap<>();
    Set<Object> seen = new HashSet<>();
    for (NewPair newPair : newPairs) {
      Optional<Entry> entry = Optional.ofNullable(people.get(newPair.person()));
      // Both are added to the set: of pairs that conflict with each other, the first one must be decided first.
      boolean first = seen.add(newPair.name()) & seen.add(newPair.person());
      if (entry.isEmpty()) {
        decided.put(newPair, new AddResult.Absent());
      } else if (first) {
        before(realm, partner, newPair, entry.get(), taken)
            .ifPresentOrElse(added -> decided.put(newPair, added), () -> open.put(newPair, entry.get()));
      }
    }
    decided.putAll(settled(realm, partner, written(realm, partner, open)));
    // The rest conflicted with another wish of the batch or with a concurrent change: they are added one by one.
    return newPairs.stream()
        .map(
            newPair -> Optional.ofNullable(decided.remove(newPair)).orElseGet(() -> pairs.add(realm, partner, newPair)))
        .toList();
  }

  private Optional<AddResult> before(
      String realm, String partner, NewPair newPair, Entry entry, Map<String, List<Entry>> taken) {
    Optional<AddResult> present = pairs.present(realm, partner, newPair, entry);
    return present.isEmpty() && taken.containsKey(newPair.name()) ? Optional.of(new AddResult.NameTaken()) : present;
  }

  private static List<String> names(Collection<NewPair> newPairs) {
    return newPairs.stream().map(NewPair::name).toList();
  }

  private Map<NewPair, Change> written(String realm, String partner, Map<NewPair, Entry> open) {
    Map<NewPair, Change> written = new LinkedHashMap<>();
    Semaphore permits = new Semaphore(MAX_PARALLEL_WRITES);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<NewPair, Future<Change>> running = new LinkedHashMap<>();
      open.forEach(
          (newPair, entry) -> running.put(newPair, threads.submit(() -> write(permits, realm, partner, newPair, entry))));
      for (Map.Entry<NewPair, Future<Change>> one : running.entrySet()) {
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

  private Change write(Semaphore permits, String realm, String partner, NewPair newPair, Entry entry)
      throws InterruptedException {
    permits.acquire();
    try {
      return pairs.write(realm, partner, newPair, entry);
    } finally {
      permits.release();
    }
  }

  /** Checks all writes with one search; a name with further holders is decided singly. */
  private Map<NewPair, AddResult> settled(String realm, String partner, Map<NewPair, Change> written) {
    Map<NewPair, AddResult> settled = new HashMap<>();
    Map<String, List<Entry>> holders = pairs.holdersOf(realm, partner, names(written.keySet()));
    written.forEach(
        (newPair, change) -> {
          List<Entry> mine = holders.getOrDefault(newPair.name(), List.of());
          boolean alone = mine.size() == 1 && mine.getFirst().person().equals(newPair.person());
          Optional<NamePair> pair =
              alone && change == Change.DONE ? pairs.pair(mine.getFirst(), realm, partner) : Optional.empty();
          pair.<AddResult>map(kept -> new AddResult.Added(kept, true))
              .or(() -> pairs.settled(change, realm, partner, newPair))
              .ifPresent(added -> settled.put(newPair, added));
        });
    return settled;
  }
}
