package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.common.valkey.Admission;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.gateway.recovery.AbandonedMove;
import dev.gatehouse.gateway.recovery.Migration;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the shared stores for a move of an installation to or from them. */
public final class SharedMigration {

  private final Node node;
  private final List<StoredKind> kinds;
  private final AuditLog audit;
  private final InstantSource time;
  private final SecureRandom random;

  /** @param kinds what is in the hot stores and moves, in this order */
  public SharedMigration(Node node, List<StoredKind> kinds, AuditLog audit, InstantSource time, SecureRandom random) {
    this.node = node;
    this.kinds = kinds;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /**
   * Moves the installation; no node may run.
   *
   * @param confirmed false to say only what would move
   * @param progress receives lines for the operator
   * @return whether everything has moved
   */
  public boolean run(Target target, boolean confirmed, Consumer<String> progress) throws PostgresUnusable {
    return with(stores -> new Migration(StoredState.folders(node), stores, audit, time, random, progress).run(target, confirmed));
  }

  /** Gives up a move that began; no node may run. */
  public void abandon(Target target, Consumer<String> progress) throws PostgresUnusable {
    with(
        stores -> {
          new AbandonedMove(StoredState.folders(node), stores, time, random, progress).run(target);
          return true;
        });
  }

  private interface Work {
    boolean with(Migration.Shared stores) throws PostgresUnusable;
  }

  private boolean with(Work work) throws PostgresUnusable {
    SharedConfig shared = node.state().requireShared();
    try (PostgresDatabase database = PostgresDatabase.open(shared.postgres())) {
      List<String> running = NodeTable.running(database);
      if (!running.isEmpty()) {
        throw new SharedUnusable(
            "Nodes run: " + String.join("; ", running) + ". Stop all of them first; one that was killed counts for 10 s.");
      }
      Migration.Shared stores =
          new Migration.Shared(shared.deployment(), SharedState.master(node, random), database, this::valkey, kinds);
      return work.with(stores);
    }
  }

  private ValkeyStores valkey(SealingKey sealing, String id) {
    ValkeyStores.Node parts = new ValkeyStores.Node(sealing, time, random, new MetricFamilies(family -> {}));
    ValkeyStores stores = new ValkeyStores(node.state().requireShared().valkey(), parts, probe -> foreign(id, probe));
    try {
      SharedStores.await(stores);
      return stores;
    } catch (RuntimeException e) {
      stores.close();
      throw e;
    }
  }

  private static Optional<String> foreign(String id, Admission.Probe probe) {
    return probe.record().flatMap(InstallationRecord::parse).filter(found -> !found.id().equals(id)).isPresent()
        ? Optional.of("another deployment is in this namespace: correct deployment or valkey in gatehouse.yaml")
        : Optional.empty();
  }
}
