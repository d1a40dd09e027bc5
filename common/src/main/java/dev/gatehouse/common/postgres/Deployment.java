package dev.gatehouse.common.postgres;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.key.SealingKey;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Whose database this is: one deployment, opened by one master key, and one installation. */
public final class Deployment {

  static final String EMPTY =
      "is empty, but this node belongs to an installation: correct postgresql.url, or restore the backup of the database; a node of a new "
          + "deployment needs an empty data folder";
  static final String UNREADABLE = "has no readable record of the installation: restore a whole backup of the database";

  private static final String CONTEXT = "master key";
  private static final byte[] PROOF = "gatehouse".getBytes(StandardCharsets.US_ASCII);

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_64657076L;

  private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);

  private final PostgresDatabase database;
  private final AtomicLong sequence;
  private final AtomicLong kept = new AtomicLong();
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public Deployment(PostgresDatabase database) {
    this(database, 0);
  }

  /** @param sequence that the other store acknowledged, as this node knows by itself */
  public Deployment(PostgresDatabase database, long sequence) {
    this.sequence = new AtomicLong(sequence);
    this.database = database;
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
  }

  private record Row(String name, byte[] proof) {}

  /** Whose database it is. */
  enum Owner {
    /** Nobody's: it is empty. */
    NOBODY,
    /** This deployment's, opened by this master key. */
    US
  }

  /**
   * Returns whether the database is empty or ours, within a transaction.
   *
   * @throws PostgresUnusable if it is another deployment's, or the master key is not the one that sealed its keys
   */
  Owner owner(String name, SealingKey master) throws PostgresUnusable {
    Optional<Row> known = row();
    Optional<String> refusal = known.flatMap(row -> refusal(row, name, master));
    if (refusal.isPresent()) {
      throw database.refused(refusal.get());
    }
    return known.isPresent() ? Owner.US : Owner.NOBODY;
  }

  private Optional<Row> row() {
    return row(jdbc);
  }

  private static Optional<Row> row(JdbcClient jdbc) {
    return jdbc.sql("select name, master_key_proof from deployment")
        .query((row, index) -> new Row(row.getString(1), row.getBytes(2)))
        .optional();
  }

  /** Makes the database this deployment's. */
  void found(String name, SealingKey master, InstallationRecord begun) {
    jdbc.sql(
            "insert into deployment (id, name, master_key_proof, keys_version, key_files, sequence)"
                + " values (1, ?, ?, 0, 0, 0)")
        .params(name, master.seal(PROOF, CONTEXT, name))
        .update();
    database.installationRecord().write(begun.format());
  }

  /**
   * Returns the record of the installation; a new database begins a new one. One node at a time does that.
   *
   * @param own the record that this node keeps beside its audit log; empty at its first start
   * @throws PostgresUnusable if the database is another deployment's, or the master key is not the one that sealed its keys
   */
  public InstallationRecord require(String name, SealingKey master, Optional<InstallationRecord> own, RandomGenerator random)
      throws PostgresUnusable {
    Optional<String> refusal =
        Objects.requireNonNull(
            transaction.execute(
                status -> {
                  jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
                  Optional<Row> known = row();
                  if (known.isPresent()) {
                    return refusal(known.get(), name, master).or(() -> DeploymentMove.refusal(jdbc));
                  }
                  if (database.installationRecord().read().isPresent()) {
                    return Optional.of("holds an installation without its deployment: restore a whole backup of the database");
                  }
                  if (own.isPresent()) {
                    return Optional.of(EMPTY);
                  }
                  // Generation 1 counts once the other store has the record, too.
                  found(name, master, InstallationRecord.create(random).raisingTo(1, Set.of()));
                  return Optional.<String>empty();
                }));
    if (refusal.isPresent()) {
      throw database.refused(refusal.get());
    }
    Optional<InstallationRecord> record = record();
    if (record.isEmpty()) {
      throw database.refused(UNREADABLE);
    }
    if (own.isPresent()) {
      Optional<String> difference = refusal(own.get(), record.get());
      if (difference.isPresent()) {
        throw database.refused(difference.get());
      }
    }
    return record.get();
  }

  /** Returns why a node must not use a database with this row; empty if there is none. */
  static Optional<String> refusal(JdbcClient jdbc, String name, SealingKey master) {
    return row(jdbc).flatMap(known -> refusal(known, name, master));
  }

  /** Returns why a node with this record of its own must not use a database with that one. */
  static Optional<String> refusal(InstallationRecord own, InstallationRecord record) {
    boolean isRecovered = record.id().equals(own.id()) && record.latest() > own.generation();
    return isRecovered ? Optional.empty() : PostgresConnections.difference(own, Optional.of(record.finished()));
  }

  private static Optional<String> refusal(Row known, String name, SealingKey master) {
    if (!known.name().equals(name)) {
      return Optional.of(
          "belongs to the deployment " + known.name() + ", and this node to " + name + ": correct postgresql.url, or deployment");
    }
    try {
      master.open(known.proof(), CONTEXT, name);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(
          "holds keys that another master key sealed: write the masterKey of this deployment; without it the keys and all sealed secrets "
              + "are lost");
    }
  }

  /** Returns the record; empty if it cannot be read. */
  public Optional<InstallationRecord> record() {
    return database.installationRecord().read().flatMap(InstallationRecord::parse);
  }

  /** Begins a recovery: no node starts until it has ended. */
  public void beginRecovery(InstallationRecord begun) {
    database.installationRecord().write(begun.format());
  }

  /** Ends a recovery, of which the other store begins anew. */
  public void recovered(InstallationRecord record) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("update deployment set sequence = 0").update();
          database.installationRecord().write(record.format());
        });
  }

  /** Ends a change of generation; does nothing if another node has ended it. */
  public void finish(InstallationRecord record) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
          if (record().filter(now -> now.raising().isPresent() && now.finished().equals(record)).isPresent()) {
            database.installationRecord().write(record.format());
          }
        });
  }

  /**
   * Returns the last sequence number that the other store acknowledged, as far as is known: while the database is away, that of this
   * process.
   */
  public long sequenceKept() {
    try {
      long found = jdbc.sql("select sequence from deployment").query(Long.class).single();
      sequence.accumulateAndGet(found, Math::max);
      kept.accumulateAndGet(found, Math::max);
    } catch (DataAccessException e) {
      LOG.debug("The sequence cannot be read", e);
    }
    return sequence.get();
  }

  /** Returns the highest sequence number that the database itself has acknowledged or told to this process. */
  public long keptInDatabase() {
    return kept.get();
  }

  /** Keeps a sequence number that the other store acknowledged; a lower one than is kept changes nothing. */
  public void acknowledged(long acknowledged) {
    if (jdbc.sql("update deployment set sequence = ? where sequence < ?").params(acknowledged, acknowledged).update() > 0) {
      sequence.accumulateAndGet(acknowledged, Math::max);
      kept.accumulateAndGet(acknowledged, Math::max);
      database.keptSequence(acknowledged);
    }
  }
}
