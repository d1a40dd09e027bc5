package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.RecoveryMarks;
import dev.gatehouse.common.installation.Installation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.store.RocksStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Continues without a lost store, or with the stores of a backup. Replaced files are moved aside, never deleted. Every
 * replacement except that of the audit log ends all sessions and tokens: RocksDB starts empty and refuses everything
 * that was issued before.
 *
 * <p>While stores are being replaced, the key folder's record names them; no node starts meanwhile, and repeating the
 * command continues where it stopped.
 */
public final class Recovery {

  private final StateFolders folders;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;

  public Recovery(StateFolders folders, AuditLog audit, InstantSource time, RandomGenerator random) {
    this.folders = folders;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /**
   * Accepts that these stores are lost.
   *
   * @return sentences for the operator: what was lost and what ended
   */
  public List<String> acceptLoss(Set<StoreName> lost) {
    requireStopped();
    Installation installation = new Installation(folders, random);
    Collection<InstallationRecord> known = installation.readable().values();
    Set<StoreName> replaced = new TreeSet<>(lost);
    known.forEach(record -> record.raising().ifPresent(change -> replaced.addAll(change.replaced())));
    if (!EnumSet.of(StoreName.AUDIT).containsAll(replaced)) {
      replaced.add(StoreName.ROCKSDB);
    }
    try {
      return acceptLoss(installation, replaced);
    } catch (IOException e) {
      throw new RecoveryFailed("The recovery did not finish: " + e.getMessage() + ". Repeat the command.", e);
    }
  }

  private List<String> acceptLoss(Installation installation, Set<StoreName> replaced) throws IOException {
    Instant now = time.instant();
    Path aside = Folders.aside(folders.data(), now);
    List<String> messages = new ArrayList<>();
    try (OpenStores open = new OpenStores()) {
      InstallationRecord before = openRemaining(installation, open, replaced);
      KeyRecovery keys = new KeyRecovery(folders, before);
      if (before.generation() == 0 && !replaced.contains(StoreName.KEYS)) {
        keys.adopt();
      }
      InstallationRecord after =
          installation.raise(
              before,
              next(installation.readable().values()),
              replaced,
              () -> replace(installation, open, replaced, keys, aside, messages));
      record(folders, audit, after, "recovered", replaced);
    }
    messages.addFirst("Lost: " + replaced.stream().map(s -> s.word() + " (" + s.content() + ")").collect(Collectors.joining("; ")) + ".");
    messages.add("The former data are in " + aside + ".");
    return List.copyOf(messages);
  }

  /**
   * Opens the remaining stores, and refuses those that are outdated, foreign or truncated, because they would count as
   * current from then on.
   */
  private InstallationRecord openRemaining(Installation installation, OpenStores open, Set<StoreName> replaced) {
    try {
      installation.requireRemainingFiles(replaced);
      if (!replaced.contains(StoreName.H2)) {
        open.database(Database.embedded(folders.data()));
        installation.add(StoreName.H2, open.database().installationRecord());
      }
      if (!replaced.contains(StoreName.ROCKSDB)) {
        open.stores(new RocksStores(folders.data(), time));
        installation.add(StoreName.ROCKSDB, open.stores().installationRecord());
      }
      InstallationRecord before = installation.beforeRecovery();
      List<Defect> defects = new ArrayList<>(installation.remainingDefects(before, replaced));
      if (defects.isEmpty() && (!replaced.contains(StoreName.KEYS) || new KeyRecovery(folders, before).isOwn())) {
        defects.addAll(shorter(open, replaced));
      }
      if (!replaced.contains(StoreName.AUDIT)) {
        auditFiles().defect().ifPresent(defects::add);
      }
      if (!defects.isEmpty()) {
        throw new StoreDamaged(defects);
      }
      return before;
    } catch (StoreDamaged e) {
      throw new RecoveryFailed(
          "More is lost than that. Nothing was changed; accept every loss in one command (--accept-loss several times),"
              + " or restore a backup:\n" + e.getMessage(),
          e);
    }
  }

  private AuditFiles auditFiles() {
    return new AuditFiles(folders.of(StoreName.AUDIT), folders.of(StoreName.KEYS));
  }

  private List<Defect> shorter(OpenStores open, Set<StoreName> replaced) {
    List<Defect> defects = new ArrayList<>();
    new SyncedPositions(folders.of(StoreName.KEYS))
        .read()
        .ifPresent(
            reached -> {
              if (!replaced.contains(StoreName.H2)) {
                SyncedPositions.defect(folders, StoreName.H2, open.database().position(), reached.h2()).ifPresent(defects::add);
              }
              if (!replaced.contains(StoreName.ROCKSDB)) {
                SyncedPositions.defect(folders, StoreName.ROCKSDB, open.stores().position(), reached.rocksdb())
                    .ifPresent(defects::add);
              }
            });
    return defects;
  }

  private void replace(
      Installation installation,
      OpenStores open,
      Set<StoreName> replaced,
      KeyRecovery keys,
      Path aside,
      List<String> messages) {
    Instant now = time.instant();
    boolean isSealingLost = replaced.contains(StoreName.KEYS) && keys.isSealingLost();
    try {
      if (replaced.contains(StoreName.AUDIT)) {
        auditFiles().setAside(now).ifPresent(left -> messages.add("The audit log begins anew; what is left of it is in " + left + "."));
      }
      if (replaced.contains(StoreName.KEYS)) {
        messages.addAll(keys.drop(aside.resolve("keys")));
      }
      if (replaced.contains(StoreName.H2)) {
        Folders.move(folders.of(StoreName.H2), aside.resolve("h2"));
        open.database(Database.embedded(folders.data()));
      }
      if (replaced.contains(StoreName.ROCKSDB)) {
        Folders.move(folders.of(StoreName.ROCKSDB), aside.resolve("rocksdb"));
        forgetPositions(replaced, keys);
        open.stores(RocksStores.inPlaceOfLost(folders.data(), time));
        messages.add("All sessions have ended; codes and tokens that were issued before " + now + " are refused.");
      }
      RecoveryMarks marks = new RecoveryMarks(open.database());
      if (replaced.contains(StoreName.ROCKSDB)) {
        marks.refuseClockCodesUntil(now);
        messages.add("Codes of tokens with a clock are refused for some minutes: which of the last ones were used is lost.");
      }
      if (isSealingLost) {
        marks.dropSealed();
        messages.add("The sealing key is lost: second factors and passwords that people stored for apps were removed.");
      }
      if (isSealingLost || replaced.contains(StoreName.H2)) {
        marks.secondFactorsLost(now);
        messages.add(
            "Second factors are to be confirmed: nobody sets one up with a password alone until an administrator allows it"
                + " (POST /admin/v1/realms/{realm}/second-factors/confirmation).");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    installation.add(StoreName.H2, open.database().installationRecord());
    installation.add(StoreName.ROCKSDB, open.stores().installationRecord());
  }

  private void forgetPositions(Set<StoreName> replaced, KeyRecovery keys) throws IOException {
    SyncedPositions positions = new SyncedPositions(folders.of(StoreName.KEYS));
    if (replaced.contains(StoreName.KEYS) && !keys.isOwn()) {
      positions.clear();
    } else {
      positions.forget(replaced);
    }
  }

  /** Puts a backup in place of database, keys and metadata. */
  public List<String> restore(Path archive) {
    requireStopped();
    return new Restore(folders, audit, time, random, Folders::move).run(archive);
  }

  /** Returns a generation that no store has reached. */
  static long next(Collection<InstallationRecord> known) {
    return known.stream().mapToLong(InstallationRecord::latest).max().orElse(0) + 1;
  }

  private void requireStopped() {
    if (StateInUse.hasOpenEngine(folders)) {
      throw new RecoveryFailed("A node has the data in " + folders.data() + " open: stop it first.");
    }
  }

  /** Audits a change of the stores, which are on disk by then. */
  static void record(StateFolders folders, AuditLog audit, InstallationRecord after, String change, Set<StoreName> replaced)
      throws IOException {
    // Forces the folders of new engines to disk.
    PrivateFiles.force(folders.data());
    audit.record(
        new AuditEvent.InstallationChanged(
            AuditEvent.Context.node(),
            after.id(),
            after.generation(),
            change,
            replaced.stream().sorted().map(StoreName::word).collect(Collectors.joining(" "))));
  }
}
