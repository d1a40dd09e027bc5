package dev.gatehouse.common.postgres;

import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.postgres.SharedSwitches.Kind;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The part of the database in a move of the installation: it says so, and no node starts on a half of it, or on what has left. */
public final class DeploymentMove {

  private final PostgresDatabase database;
  private final Deployment deployment;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  /** How far a move is. */
  private record State(Target target, boolean finished, OffsetDateTime begunAt) {}

  public DeploymentMove(PostgresDatabase database) {
    this.database = database;
    this.deployment = new Deployment(database);
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
  }

  private static Optional<State> state(JdbcClient jdbc) {
    return jdbc.sql("select target, finished, begun_at from migration")
        .query(
            (row, index) ->
                new State(Target.of(row.getString(1)).orElseThrow(), row.getBoolean(2), row.getObject(3, OffsetDateTime.class)))
        .optional();
  }

  /** Returns why no node uses the database now, as the end of a sentence. */
  static Optional<String> refusal(JdbcClient jdbc) {
    return state(jdbc)
        .map(
            state ->
                state.finished()
                    ? "was left by its deployment, which has embedded stores since a move that began at "
                        + state.begunAt().withOffsetSameInstant(ZoneOffset.UTC)
                        + ": write storage: embedded on the node that has them, and give a new deployment a database of its own"
                    : "is a part of a move that was interrupted: give the same command again (" + state.target().command() + ")");
  }

  /**
   * Returns why the move cannot begin or go on here, as the end of a sentence; changes nothing.
   *
   * @param resumed the installation whose move to shared stores was interrupted; empty if a move begins
   * @throws PostgresUnusable if it is another deployment's, or the master key is not the one that sealed its keys
   */
  public Optional<String> problem(Target target, String name, SealingKey master, Optional<String> resumed) throws PostgresUnusable {
    boolean isOurs = deployment.owner(name, master) == Deployment.Owner.US;
    Optional<State> state = state(jdbc);
    if (!isOurs && target == Target.EMBEDDED) {
      return Optional.of("is empty: there is nothing to move");
    }
    if (!isOurs) {
      return isEmpty() ? Optional.empty() : Optional.of("is not empty: give the deployment a database of its own");
    }
    Optional<State> other = state.filter(now -> now.target() != target);
    if (other.isPresent()) {
      return Optional.of(
          other.get().finished()
              ? "holds what a move to embedded stores left: give the deployment an empty database"
              : "is a part of a move in the other direction: finish it first (" + other.get().target().command() + ")");
    }
    if (target == Target.SHARED && resumed.isEmpty()) {
      return Optional.of("holds a deployment already: give this one an empty database");
    }
    return target == Target.SHARED && !resumed.equals(deployment.record().map(InstallationRecord::id))
        ? Optional.of("holds another installation: give this one an empty database")
        : Optional.empty();
  }

  /** Returns whether the move has ended here, after one that began: a node may use the database, or never again. */
  public boolean isFinished(Target target) {
    return state(jdbc).map(State::finished).orElse(target == Target.SHARED && deployment.record().isPresent());
  }

  private boolean isEmpty() {
    return deployment.record().isEmpty()
        && Stream.of(
                "configuration_revision", "persistent_name_id", "registered_client", "second_factor", "passkey", "account_link", "consent",
                "otp_token", "otp_person")
            .allMatch(table -> jdbc.sql("select count(*) from " + table).query(Long.class).single() == 0);
  }

  /** Begins, or goes on: no node starts until the move has ended. */
  public void begin(Target target, String name, SealingKey master, InstallationRecord source) {
    transaction.executeWithoutResult(
        status -> {
          if (state(jdbc).isPresent()) {
            return;
          }
          if (target == Target.SHARED) {
            deployment.found(name, master, source.raisingTo(source.latest() + 1, Set.of(StoreName.ROCKSDB)));
          }
          jdbc.sql("insert into migration (id, target, finished, begun_at) values (1, ?, false, now())").param(target.word()).update();
        });
  }

  /** Returns the record of the installation. */
  public InstallationRecord record() {
    return deployment.record().orElseThrow(() -> new IllegalStateException("The database has no readable record of the installation"));
  }

  /** Replaces all keys. */
  public void putKeys(KeyPlace into, List<Key> keys) throws IOException {
    into.locked(
        into.root(),
        () -> {
          for (Key key : keys) {
            into.replace(into.root().resolve(key.path()), key.content());
          }
          return keys.size();
        });
  }

  /** Returns the paths of all keys. */
  public List<String> keys() {
    return jdbc.sql("select path from key_file order by path").query(String.class).list();
  }

  /** A key file. @param path below the folder of keys */
  public record Key(String path, String content) {}

  /** Returns the settings of the routes that were switched to maintenance or back, by their names. */
  public Map<String, String> maintenances() {
    return jdbc.sql("select name, setting from node_switch where kind = ? and setting <> ''")
        .param(Kind.MAINTENANCE.word())
        .query((row, index) -> Map.entry(row.getString("name"), row.getString("setting")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Replaces those settings. */
  public void putMaintenances(Map<String, String> settings) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("delete from node_switch where kind = ?").param(Kind.MAINTENANCE.word()).update();
          settings.forEach(
              (name, setting) ->
                  jdbc.sql(
                          "insert into node_switch (kind, name, setting, version)"
                              + " values (?, ?, ?, (select coalesce(max(version), 0) + 1 from node_switch))")
                      .params(Kind.MAINTENANCE.word(), name, setting)
                      .update());
        });
  }

  /** Takes back a move that began: the database is empty again, or that of its deployment. */
  public void abandon(Target target) {
    transaction.executeWithoutResult(
        status -> {
          if (target == Target.SHARED) {
            List<String> tables =
                jdbc.sql("select tablename from pg_tables where schemaname = current_schema() and tablename <> 'flyway_schema_history'")
                    .query(String.class)
                    .list();
            jdbc.sql("truncate " + String.join(", ", tables)).update();
          } else {
            jdbc.sql("delete from migration_step").update();
            jdbc.sql("delete from migration").update();
          }
        });
  }

  /** Ends the move: nodes may start, or never again. */
  public void finish(Target target, InstallationRecord record) {
    transaction.executeWithoutResult(
        status -> {
          deployment.recovered(record);
          jdbc.sql("delete from migration_step").update();
          if (target == Target.SHARED) {
            jdbc.sql("delete from migration").update();
          } else {
            jdbc.sql("update migration set finished = true").update();
          }
        });
  }

  /** Returns a sentence that begins with the database. */
  public PostgresUnusable refused(String end) {
    return database.refused(end);
  }
}
