package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.MoveMark.State;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.KeyManifest;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.postgres.DatabaseKeyPlace;
import dev.gatehouse.common.postgres.DeploymentMove;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Removes what a move that began has written into its target; the source is as it was. May be repeated after an interruption: the marks
 * that keep nodes from starting are removed last.
 */
public final class AbandonedMove {

  private final StateFolders folders;
  private final Migration.Shared shared;
  private final InstantSource time;
  private final SecureRandom random;
  private final Consumer<String> progress;
  private final MoveMark mark;
  private final DeploymentMove move;

  public AbandonedMove(
      StateFolders folders, Migration.Shared shared, InstantSource time, SecureRandom random, Consumer<String> progress) {
    this.folders = folders;
    this.shared = shared;
    this.time = time;
    this.random = random;
    this.progress = progress;
    this.mark = new MoveMark(folders.data());
    this.move = new DeploymentMove(shared.database());
  }

  /** @param target where the move went */
  public void run(Target target) throws PostgresUnusable {
    requireBegun(target);
    Optional<String> id = record().map(InstallationRecord::id);
    Optional<String> problem =
        move.problem(target, shared.name(), shared.master(), target == Target.SHARED ? id : Optional.empty());
    if (problem.isPresent()) {
      throw move.refused(problem.get());
    }
    try {
      switch (target) {
        case SHARED -> emptyShared();
        case EMBEDDED -> removeEmbedded();
      }
    } catch (IOException e) {
      throw new RecoveryFailed("The move was not given up: " + e.getMessage() + ". Give the same command again.", e);
    }
    mark.remove();
  }

  private void requireBegun(Target target) {
    Optional<State> begun = mark.read().filter(state -> !state.finished());
    if (begun.isEmpty()) {
      throw new RecoveryFailed("No move has begun with the data in " + folders.data() + ": there is nothing to give up.");
    }
    if (begun.get().target() != target) {
      throw new RecoveryFailed("The move that began goes in the other direction: " + begun.get().target().command() + " --abandon.");
    }
    if (move.isFinished(target)) {
      throw new RecoveryFailed(
          "The move is complete but for its last step, and is not given up any more: finish it (" + target.command() + ").");
    }
  }

  private Optional<InstallationRecord> record() {
    return new FileRecordLocation(keyFolder()).read().flatMap(InstallationRecord::parse);
  }

  private Path keyFolder() {
    return folders.of(StoreName.KEYS);
  }

  private void emptyShared() {
    String id =
        record()
            .map(InstallationRecord::id)
            .orElseThrow(() -> new RecoveryFailed("The record in " + keyFolder() + " cannot be read."));
    try (ValkeyStores valkey = shared.valkey().open(new SealingKey(new FileKeyPlace(folders.data()), random), id)) {
      valkey.clear();
    }
    move.abandon(Target.SHARED);
    progress.accept("Given up. The installation is in " + folders.data() + " as before: write storage: embedded and start the node.");
    progress.accept("What remains: the empty tables in PostgreSQL, and a counter in Valkey. The move may be begun again.");
  }

  private void removeEmbedded() throws IOException {
    InstallationRecord source = move.record();
    DatabaseKeyPlace keys = new DatabaseKeyPlace(shared.database(), shared.master(), time);
    try (ValkeyStores valkey = shared.valkey().open(new SealingKey(keys, random), source.id())) {
      valkey.installationRecord().write(source.format());
    }
    Folders.delete(folders.of(StoreName.H2));
    Folders.delete(folders.of(StoreName.ROCKSDB));
    Files.deleteIfExists(folders.data().resolve(MaintenanceSwitches.NAME));
    if (Files.exists(keyFolder())) {
      for (Path file : new KeyManifest(keyFolder()).moved()) {
        Files.delete(file);
      }
      Files.deleteIfExists(keyFolder().resolve(KeyManifest.NAME));
      new SyncedPositions(keyFolder()).clear();
      new FileRecordLocation(keyFolder()).write(source.format());
    }
    move.abandon(Target.EMBEDDED);
    progress.accept("Given up. The installation is in PostgreSQL and Valkey as before: write storage: shared and start the nodes.");
    progress.accept("What remains in " + folders.data() + ": the audit log with its key, as on every node.");
  }
}
