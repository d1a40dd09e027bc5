package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.RecoveryMarks;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.postgres.DatabaseKeyPlace;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.valkey.Admission;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Goes on after a loss in the shared stores. What Valkey holds ends in any case: nobody can tell what was ended or used since. Of a
 * database that was restored from a backup, the codes of second factors that may have been used since are refused.
 */
public final class SharedRecovery {

  /** The words of {@code --accept-loss}. */
  public enum Lost {
    /** Valkey is empty, older or lost. */
    VALKEY,
    /** PostgreSQL was restored from a backup. */
    POSTGRESQL;

    /** Returns the word. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Node node;
  private final AuditLog audit;
  private final InstantSource time;
  private final SecureRandom random;

  public SharedRecovery(Node node, AuditLog audit, InstantSource time, SecureRandom random) {
    this.node = node;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /**
   * Begins Valkey anew, and raises the generation; the nodes must be stopped.
   *
   * @return what was done, for the operator
   */
  public List<String> accept(Set<Lost> lost) throws PostgresUnusable {
    SharedConfig shared = node.state().requireShared();
    try (PostgresDatabase database = PostgresDatabase.open(shared.postgres())) {
      Deployment deployment = new Deployment(database);
      if (deployment.record().isEmpty()) {
        throw new SharedUnusable("PostgreSQL is empty: restore its backup first; a new deployment needs no recovery.");
      }
      SealingKey master = SharedState.master(node, random);
      InstallationRecord before = deployment.require(shared.deployment(), master, Optional.empty(), random);
      requireStopped(database);
      SealingKey sealing = new SealingKey(new DatabaseKeyPlace(database, master, time), random);
      return begunAnew(lost, database, before, sealing);
    }
  }

  private void requireStopped(PostgresDatabase database) {
    List<String> running = NodeTable.running(database);
    if (!running.isEmpty()) {
      throw new SharedUnusable(
          "Nodes run: " + String.join("; ", running) + ". Stop all of them first; one that was killed counts for 10 s.");
    }
  }

  private List<String> begunAnew(Set<Lost> lost, PostgresDatabase database, InstallationRecord before, SealingKey sealing) {
    FileRecordLocation own = new FileRecordLocation(StoredState.folders(node).of(StoreName.KEYS));
    Optional<InstallationRecord> beside = own.read().flatMap(InstallationRecord::parse).filter(record -> record.id().equals(before.id()));
    long known = beside.map(InstallationRecord::generation).orElse(0L);
    ValkeyStores.Node parts = new ValkeyStores.Node(sealing, time, random, MetricFamilies.unpublished());
    Admission ours = probe -> foreign(before, probe);
    try (ValkeyStores stores = new ValkeyStores(node.state().requireShared().valkey(), parts, ours)) {
      SharedStores.await(stores);
      long there = stores.installationRecord().read().flatMap(InstallationRecord::parse).map(InstallationRecord::latest).orElse(0L);
      long next = Math.max(Math.max(before.latest(), known), there) + 1;
      Deployment deployment = new Deployment(database);
      InstallationRecord begun = before.raisingTo(next, Set.of(StoreName.ROCKSDB));
      deployment.beginRecovery(begun);
      Instant now = time.instant();
      stores.clear();
      stores.hotData().loseAllBefore(now);
      if (lost.contains(Lost.POSTGRESQL)) {
        new RecoveryMarks(database).restored(now);
      }
      InstallationRecord after = begun.finished();
      stores.installationRecord().write(after.format());
      deployment.recovered(after);
      String words = lost.stream().sorted().map(Lost::word).collect(Collectors.joining(" "));
      audit.record(new AuditEvent.InstallationChanged(AuditEvent.Context.node(), after.id(), next, "recovered", words));
      return done(lost, now);
    }
  }

  private static Optional<String> foreign(InstallationRecord before, Admission.Probe probe) {
    return probe.record().flatMap(InstallationRecord::parse).filter(found -> !found.id().equals(before.id())).isPresent()
        ? Optional.of("another deployment is in this namespace: correct deployment or valkey in gatehouse.yaml")
        : Optional.empty();
  }

  private static List<String> done(Set<Lost> lost, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add("All sessions have ended; codes and tokens that were issued before " + now + " are refused.");
    if (lost.contains(Lost.POSTGRESQL)) {
      lines.add(
          "Codes of authenticator apps of time steps until now are refused; recovery codes were removed: people make new ones on their "
              + "account page. Links for new passwords, and the set-up link, count no longer.");
      lines.add(
          "Keys and roles of administrators that were taken away since the backup count again: look at ./gatehouse keys admin --list and "
              + "./gatehouse admin administrators list.");
    }
    lines.add("Start the nodes.");
    return lines;
  }
}
