package dev.gatehouse.common.installation;

import dev.gatehouse.common.installation.InstallationRecord.Raising;
import dev.gatehouse.common.installation.StoreDamaged.Defect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Compares the records of all stores and raises the generation.
 *
 * <p>A change of generation begins and ends in the key folder's record. If the process ends in between, that record contains
 * the next generation: the other stores may have the former or the next one. No store can have changed meanwhile, because
 * nothing is served before the change is finished.
 */
public final class Installation {

  private final StateFolders folders;
  private final Map<StoreName, RecordLocation> records = new EnumMap<>(StoreName.class);
  private final RandomGenerator random;

  public Installation(StateFolders folders, RandomGenerator random) {
    this.folders = folders;
    this.random = random;
    records.put(StoreName.KEYS, new FileRecordLocation(folders.of(StoreName.KEYS)));
    records.put(StoreName.AUDIT, new FileRecordLocation(folders.of(StoreName.AUDIT)));
  }

  public StateFolders folders() {
    return folders;
  }

  /** Checks the files before a store is opened, because opening would create a missing store. */
  public void requireFiles() {
    Optional<InstallationRecord> keys = parse(StoreName.KEYS);
    Optional<InstallationRecord> audit = parse(StoreName.AUDIT);
    keys.ifPresent(this::requireFinished);
    boolean isBeginning = keys.isPresent() && keys.get().generation() == 0;
    boolean isKnown = !isBeginning && (keys.isPresent() || audit.isPresent());
    // Data without records: those of the former version, which had both engines, or a database that `federate bulk` filled
    // before the first start of a node.
    boolean isFormerVersion = !isBeginning && !isKnown && folders.isThere(StoreName.ROCKSDB);
    List<Defect> defects = new ArrayList<>();
    for (StoreName store : StoreName.values()) {
      if (!folders.isThere(store) && (isKnown || isFormerVersion && store == StoreName.H2)) {
        defects.add(new Defect(store, folders.decisive(store), folders.absence(store)));
      }
    }
    require(defects);
  }

  /** Adds the record of a store that was opened. */
  public void add(StoreName store, RecordLocation record) {
    records.put(store, record);
  }

  /**
   * Compares the records of all stores. Data without any record are adopted as a new installation.
   *
   * @throws StoreDamaged if the stores do not belong together
   */
  public InstallationRecord require() {
    Map<StoreName, InstallationRecord> found = new EnumMap<>(StoreName.class);
    for (StoreName store : StoreName.values()) {
      parse(store).ifPresent(record -> found.put(store, record));
    }
    if (found.isEmpty()) {
      return InstallationRecord.create(random);
    }
    InstallationRecord reference = reference(found);
    InstallationRecord keys = found.getOrDefault(StoreName.KEYS, reference);
    requireFinished(keys);
    List<Defect> defects = new ArrayList<>();
    for (StoreName store : StoreName.values()) {
      Optional.ofNullable(found.get(store))
          .map(record -> difference(record, reference, keys))
          .orElse(keys.generation() == 0 ? Optional.empty() : Optional.of("has no record of this installation"))
          .ifPresent(what -> defects.add(new Defect(store, folders.of(store), what)));
    }
    require(defects);
    return keys;
  }

  /** Returns the record from which a recovery starts: that of an interrupted recovery, or else the newest of the installation. */
  public InstallationRecord beforeRecovery() {
    Map<StoreName, InstallationRecord> found = readable();
    if (found.isEmpty()) {
      return InstallationRecord.create(random);
    }
    InstallationRecord reference = reference(found);
    return Optional.ofNullable(found.get(StoreName.KEYS))
        .filter(keys -> keys.raising().isPresent() && keys.id().equals(reference.id()))
        .filter(keys -> keys.latest() >= reference.generation())
        .orElse(reference);
  }

  /** Checks the files of the engines that a recovery does not replace, before they are opened. */
  public void requireRemainingFiles(Set<StoreName> replaced) {
    require(
        List.of(StoreName.H2, StoreName.ROCKSDB).stream()
            .filter(store -> !replaced.contains(store) && !folders.isThere(store))
            .map(store -> new Defect(store, folders.decisive(store), folders.absence(store)))
            .toList());
  }

  /**
   * Returns the defects in the records of stores that a recovery does not replace.
   *
   * @param before the result of {@link #beforeRecovery}
   */
  public List<Defect> remainingDefects(InstallationRecord before, Set<StoreName> replaced) {
    Map<StoreName, InstallationRecord> found = readable();
    InstallationRecord reference = found.isEmpty() ? before : reference(found);
    List<Defect> defects = new ArrayList<>();
    for (StoreName store : StoreName.values()) {
      if (!replaced.contains(store)) {
        Optional.ofNullable(found.get(store))
            .map(record -> difference(record, reference, before))
            .orElse(before.generation() == 0 ? Optional.empty() : Optional.of("has no record of this installation"))
            .ifPresent(what -> defects.add(new Defect(store, folders.of(store), what)));
      }
    }
    return defects;
  }

  /**
   * Raises the generation in all stores.
   *
   * @param before the result of {@link #require}
   */
  public InstallationRecord raise(InstallationRecord before) {
    return raise(before, before.latest() + 1, Set.of(), () -> {});
  }

  /**
   * Raises the generation to {@code next}. {@code change} replaces the stores {@code replaced} and passes their records to
   * {@link #add}.
   */
  public InstallationRecord raise(InstallationRecord before, long next, Set<StoreName> replaced, Runnable change) {
    records(StoreName.KEYS).write(before.raisingTo(next, replaced).format());
    change.run();
    InstallationRecord after = before.at(next);
    for (StoreName store : List.of(StoreName.AUDIT, StoreName.H2, StoreName.ROCKSDB, StoreName.KEYS)) {
      records(store).write(after.format());
    }
    return after;
  }

  private RecordLocation records(StoreName store) {
    return Optional.ofNullable(records.get(store)).orElseThrow(() -> new IllegalStateException(store + " is not open"));
  }

  /** Returns every record that can be read, valid or not for this installation. */
  public Map<StoreName, InstallationRecord> readable() {
    Map<StoreName, InstallationRecord> found = new EnumMap<>(StoreName.class);
    records.forEach(
        (store, place) -> place.read().flatMap(InstallationRecord::parse).ifPresent(record -> found.put(store, record)));
    return found;
  }

  private Optional<InstallationRecord> parse(StoreName store) {
    RecordLocation place = records.get(store);
    Optional<String> text = place == null ? Optional.empty() : place.read();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<InstallationRecord> record = InstallationRecord.parse(text.get());
    if (record.isEmpty()) {
      require(List.of(new Defect(store, folders.decisive(store), "has a record of the installation that is damaged")));
    }
    return record;
  }

  /** Returns the newest record of the installation to which most stores belong. */
  public static InstallationRecord reference(Map<StoreName, InstallationRecord> found) {
    return found.values().stream()
        .max(
            Comparator.<InstallationRecord>comparingLong(
                    record -> found.values().stream().filter(other -> other.id().equals(record.id())).count())
                .thenComparingLong(InstallationRecord::generation))
        .orElseThrow();
  }

  private static Optional<String> difference(
      InstallationRecord record, InstallationRecord reference, InstallationRecord keys) {
    if (!record.id().equals(reference.id())) {
      return Optional.of("belongs to another installation");
    }
    boolean isBetween =
        keys.raising().isPresent()
            && record.generation() >= keys.generation()
            && record.generation() <= keys.raising().get().to();
    return record.generation() == reference.generation() || isBetween
        ? Optional.empty()
        : Optional.of(
            "is an older copy: it is of generation " + record.generation() + " beside " + reference.generation());
  }

  private void requireFinished(InstallationRecord keys) {
    keys.raising()
        .map(Raising::replaced)
        .filter(replaced -> !replaced.isEmpty())
        .ifPresent(
            replaced ->
                require(
                    replaced.stream()
                        .sorted()
                        .map(store -> new Defect(store, folders.of(store), "was being replaced when that was interrupted"))
                        .toList()));
  }

  private static void require(List<Defect> defects) {
    if (!defects.isEmpty()) {
      throw new StoreDamaged(defects);
    }
  }
}
