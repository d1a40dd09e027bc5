package dev.gatehouse.common.postgres;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.TableVersions;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresConnections.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.flywaydb.core.api.FlywayException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * What a node would find in its database. Nothing is changed there.
 *
 * @param problems sentences about what would keep the node from starting, with the remedy
 * @param notes sentences that administrators should know
 * @param record of the installation; empty in a new database
 * @param sequence that the other store has acknowledged at least
 */
public record DeploymentLook(List<String> problems, List<String> notes, Optional<InstallationRecord> record, long sequence) {

  /**
   * The node that asks.
   *
   * @param own the record that it keeps beside its audit log; empty before its first start
   * @param isEmbedded whether its data folder still has the stores of one node, which may be moved here
   * @param instance identifies its data folder; empty before its first start
   * @param number fixed index; empty if the node takes a free one
   */
  public record Asker(
      String deployment,
      SealingKey master,
      Optional<InstallationRecord> own,
      boolean isEmbedded,
      Optional<String> instance,
      OptionalInt number,
      String version) {}

  static final String FOREIGN = "has tables of something else: give each deployment a database of its own";

  public DeploymentLook {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /**
   * Connects once.
   *
   * @throws PostgresUnusable in one sentence with the remedy
   */
  public static DeploymentLook of(PostgresConfig config, Asker asker) throws PostgresUnusable {
    PostgresConnections connections = new PostgresConnections(config);
    Connection connection = connections.open(Limits.PROBE);
    try {
      connection.setReadOnly(true);
      List<String> notes = new ArrayList<>(connections.guarantees().orElseThrow().sentences());
      return new Looking(connections, JdbcClient.create(new SingleConnectionDataSource(connection, true)), asker, notes).look();
    } catch (SQLException e) {
      throw PostgresProblems.explained(config, e);
    } catch (DataAccessException | FlywayException e) {
      throw new PostgresUnusable("PostgreSQL (" + config.address() + ") cannot be read: " + e.getMessage(), e);
    } finally {
      PostgresDatabase.discard(connection);
    }
  }

  /** Returns whether the database has tables and none of them tells that they are ours. */
  static boolean isForeign(JdbcClient jdbc) {
    return !isEmpty(jdbc) && !exists(jdbc, "flyway_schema_history");
  }

  private static boolean isEmpty(JdbcClient jdbc) {
    return jdbc.sql("select count(*) from pg_tables where schemaname = current_schema()").query(Long.class).single() == 0;
  }

  private static boolean exists(JdbcClient jdbc, String table) {
    return jdbc.sql("select to_regclass(?) is not null").param(table).query(Boolean.class).single();
  }

  private record Looking(PostgresConnections connections, JdbcClient jdbc, Asker asker, List<String> notes) {

    DeploymentLook look() {
      if (isEmpty(jdbc)) {
        notes.add("it is empty: the first node that starts creates the tables");
        return ofNobody();
      }
      if (isForeign(jdbc)) {
        return end(Optional.of(FOREIGN), Optional.empty(), 0);
      }
      TableVersions tables = Database.versions(ConnectionFactory.of(connections, Limits.PROBE), PostgresDatabase.MIGRATIONS);
      if (tables.defect().isPresent()) {
        return end(tables.defect().map(PostgresProblems::tables), Optional.empty(), 0);
      }
      notes.add(version(tables));
      if (!exists(jdbc, "deployment")) {
        return ofNobody();
      }
      Optional<String> refusal =
          Deployment.refusal(jdbc, asker.deployment(), asker.master())
              .or(() -> tables.pending() ? Optional.empty() : DeploymentMove.refusal(jdbc));
      return refusal.isPresent() ? end(refusal, Optional.empty(), 0) : ofDeployment();
    }

    private static String version(TableVersions tables) {
      String applied = "its tables are of version " + tables.applied().orElse("none");
      if (tables.isNewer()) {
        return applied + ", and this program knows " + tables.known()
            + ": nodes of a newer version have run here; only versions that follow each other may run side by side";
      }
      return tables.pending() ? applied + ": the first node that starts changes them to " + tables.known() : applied;
    }

    private DeploymentLook ofNobody() {
      if (asker.isEmbedded()) {
        notes.add(
            "it holds no installation, and this node has embedded stores: " + MoveMark.Target.SHARED.command()
                + " moves them; without it the node does not start");
        return end(Optional.empty(), Optional.empty(), 0);
      }
      return end(asker.own().map(own -> Deployment.EMPTY), Optional.empty(), 0);
    }

    private DeploymentLook ofDeployment() {
      Optional<String> text = jdbc.sql("select record from installation").query(String.class).optional();
      boolean isOwned = jdbc.sql("select count(*) from deployment").query(Long.class).single() > 0;
      if (text.isEmpty() && !isOwned) {
        return ofNobody();
      }
      Optional<InstallationRecord> record = text.flatMap(InstallationRecord::parse);
      if (record.isEmpty() || !isOwned) {
        return end(Optional.of(Deployment.UNREADABLE), Optional.empty(), 0);
      }
      if (record.get().raising().filter(change -> !change.replaced().isEmpty()).isPresent()) {
        return end(
            Optional.of("is a part of a recovery that was interrupted: give the same command (./gatehouse recover) again"),
            Optional.empty(), 0);
      }
      Optional<String> difference = asker.own().flatMap(own -> Deployment.refusal(own, record.get()));
      return end(
          difference.or(this::sameNumber), record.filter(found -> difference.isEmpty()),
          jdbc.sql("select sequence from deployment").query(Long.class).single());
    }

    private Optional<String> sameNumber() {
      List<OtherNode> others =
          jdbc.sql(
                  "select number, host, version from node where instance <> ? and seen_at > now() - make_interval(secs => ?)"
                      + " order by number")
              .params(asker.instance().orElse(""), NodeTable.GONE_SECONDS)
              .query((row, index) -> new OtherNode(row.getInt(1), row.getString(2), row.getString(3)))
              .list();
      OtherNode.ofOtherVersion(others.stream(), asker.version()).ifPresent(notes::add);
      return others.stream()
          .filter(other -> asker.number().equals(OptionalInt.of(other.number())))
          .findFirst()
          .map(other -> OtherNode.ofSameNumber(other.number(), other.host()));
    }

    private DeploymentLook end(Optional<String> problem, Optional<InstallationRecord> record, long sequence) {
      return new DeploymentLook(
          problem.map(text -> String.valueOf(connections.refused(text).getMessage())).stream().toList(), notes, record, sequence);
    }
  }
}
