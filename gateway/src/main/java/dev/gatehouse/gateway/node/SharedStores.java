package dev.gatehouse.gateway.node;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.DeploymentLook;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.common.valkey.Admission;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The stores in Valkey of a node, which hold this installation at its present generation, and nothing older than what was acknowledged.
 * They are compared again at each connect.
 */
final class SharedStores implements AutoCloseable {

  private static final Duration UNTIL_CONNECTED = Duration.ofSeconds(10);
  private static final Duration ON_OWN_DISK = Duration.ofSeconds(10);
  private static final int PAUSE_MILLIS = 50;

  private final ValkeyStores stores;
  private final RepeatedTask sequence;
  private final RepeatedTask ownSequence;
  private final ClockWatch clock;

  private SharedStores(ValkeyStores stores, Deployment deployment, SharedState state, InstantSource time) {
    this.stores = stores;
    this.clock = new ClockWatch(time, List.of(state.database()::clock, stores::clock));
    state.watched(clock);
    this.sequence =
        RepeatedTask.begin(
            "sequence", "The sequence of the stores cannot be kept in the database", () -> deployment.acknowledged(stores.sequence()));
    this.ownSequence =
        RepeatedTask.every(
            ON_OWN_DISK,
            "own-sequence",
            "The sequence of the stores cannot be kept on disk",
            () -> state.keepSequence(stores.sequence(), deployment.keptInDatabase()));
  }

  /**
   * Opens the stores. A new installation begins here: both stores get its record.
   *
   * @param state with the record in PostgreSQL
   * @throws SharedUnusable if Valkey does not answer, or holds something else
   */
  static SharedStores open(ValkeyConfig config, ValkeyStores.Node node, SharedState state) {
    return open(config, node, state, UNTIL_CONNECTED);
  }

  static SharedStores open(ValkeyConfig config, ValkeyStores.Node node, SharedState state, Duration untilConnected) {
    PostgresDatabase database = state.database();
    InstallationRecord begun = state.record();
    Deployment deployment = new Deployment(database, state.sequence());
    InstallationRecord record = begun.finished();
    // Another node may have finished the beginning since this one read the record.
    BooleanSupplier isBeginning = () -> deployment.record().filter(now -> now.raising().isPresent()).isPresent();
    Admission admission = probe -> refusal(config, begun, isBeginning, deployment::sequenceKept, probe);
    ValkeyStores stores = new ValkeyStores(config, node, admission);
    try {
      await(stores, untilConnected);
      if (stores.installationRecord().read().isEmpty()) {
        stores.installationRecord().write(record.format());
      }
      if (!state.isBegunAway()) {
        deployment.finish(record);
        // A server that has forgotten what it acknowledged to this node is refused at its next connection, which comes now.
        database.keptSequence(state.sequenceInDatabase());
        database.expect(record);
      }
      return new SharedStores(stores, deployment, state, node.time());
    } catch (RuntimeException e) {
      stores.close();
      throw e;
    }
  }

  /** Returns the check of a command, which begins nothing: Valkey holds the installation of this database, and nothing older. */
  static Admission admission(ValkeyConfig config, PostgresDatabase database) {
    Deployment deployment = new Deployment(database);
    InstallationRecord record =
        deployment.record().orElseThrow(() -> new SharedUnusable("The database of this server holds no installation"));
    return probe -> refusal(config, record, () -> record.raising().isPresent(), deployment::sequenceKept, probe);
  }

  /** Returns what {@link #open} would refuse, with what the database told already. */
  static Admission admission(ValkeyConfig config, DeploymentLook database) {
    return probe ->
        database
            .record()
            .map(record -> refusal(config, record, () -> record.raising().isPresent(), database::sequence, probe))
            .orElseGet(() -> probe.record().map(found -> foreign(config)));
  }

  private static String foreign(ValkeyConfig config) {
    return "another deployment is in the namespace " + config.namespace()
        + ": give each deployment its own name (deployment in gatehouse.yaml)";
  }

  /**
   * Returns why Valkey must not be used.
   *
   * @param isBeginning whether the installation is still being made
   * @param sequenceKept what Valkey acknowledged at least
   */
  private static Optional<String> refusal(
      ValkeyConfig config, InstallationRecord begun, BooleanSupplier isBeginning, LongSupplier sequenceKept, Admission.Probe probe) {
    Optional<String> written = probe.record();
    if (written.isEmpty()) {
      return begun.raising().isPresent() && isBeginning.getAsBoolean()
          ? Optional.empty()
          : Optional.of(
              "it is empty, although this installation is not new: connect the former one, or accept that all sessions and tokens end with "
                  + "./gatehouse recover --accept-loss valkey");
    }
    Optional<InstallationRecord> found = written.flatMap(InstallationRecord::parse);
    if (found.isEmpty()) {
      return Optional.of("its record of the installation is damaged: see ./gatehouse recover");
    }
    if (!found.get().id().equals(begun.id())) {
      return Optional.of(foreign(config));
    }
    long generation = begun.latest();
    if (found.get().generation() < generation) {
      return Optional.of(
          "it is an older copy (generation " + found.get().generation() + " beside " + generation
              + "): connect the newer one, or ./gatehouse recover --accept-loss valkey");
    }
    if (found.get().generation() > generation) {
      return Optional.of(
          "it is of generation " + found.get().generation() + " beside " + generation
              + " of the database: start the node again; if that does not help, the database is an older copy");
    }
    long kept = sequenceKept.getAsLong();
    return probe.sequence() < kept
        ? Optional.of(
            "its data are older than what it acknowledged (sequence " + probe.sequence() + " after " + kept
                + "): connect the newer one, or ./gatehouse recover --accept-loss valkey")
        : Optional.empty();
  }

  static void await(ValkeyStores stores) {
    await(stores, UNTIL_CONNECTED);
  }

  private static void await(ValkeyStores stores, Duration untilConnected) {
    long end = System.nanoTime() + untilConnected.toNanos();
    while (stores.problem().isPresent() && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SharedUnusable("The start was interrupted");
      }
    }
    stores.problem()
        .ifPresent(
            problem -> {
              throw new SharedUnusable(problem);
            });
  }

  ValkeyStores stores() {
    return stores;
  }

  @Override
  public void close() {
    sequence.close();
    ownSequence.close();
    clock.close();
    stores.close();
  }
}
