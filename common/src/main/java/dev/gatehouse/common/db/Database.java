package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.remembered.OwnChanges;
import dev.gatehouse.common.remembered.RowChanges;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** The relational database, migrated when it is opened: H2 of one node, or PostgreSQL of several. */
public interface Database extends AutoCloseable {

  /** Opens H2 in {@code data/h2}; one process at a time can open it. */
  static H2Database embedded(Path data) {
    return H2Database.embedded(data);
  }

  /** Opens a new and empty H2 in memory, for {@code storage: volatile}; its content is lost when it is closed. */
  static H2Database inMemory() {
    return H2Database.inMemory();
  }

  /**
   * Creates the tables, or changes those of a former version.
   *
   * @param further places of what only this kind of database has
   */
  static void migrate(DataSource database, String... further) {
    migrations(database, further).load().migrate();
  }

  /** Returns what the tables are like, and changes nothing. */
  static TableVersions versions(DataSource database, String... further) {
    return TableVersions.of(migrations(database, further));
  }

  private static FluentConfiguration migrations(DataSource database, String... further) {
    return Flyway.configure()
        .dataSource(database)
        .locations(Stream.concat(Stream.of("classpath:db/migration"), Arrays.stream(further)).toArray(String[]::new))
        // A later version may have changed the tables, also by a script that has no number: its nodes and ours run side by side in an upgrade.
        .ignoreMigrationPatterns("*:future", "repeatable:missing")
        .javaMigrations(new ConsentNamesMigration());
  }

  /** Returns the data source; it stays the same when the database is opened again. */
  DataSource dataSource();

  /** Returns why the database cannot be used; empty if it can. */
  Optional<String> problem();

  /** Returns the count of this process's changes, for tables that no other process changes; empty where others use the database. */
  default Optional<OwnChanges> changes() {
    return Optional.empty();
  }

  /**
   * Returns what tells of changes of rows that this process does not know of, as far as the database can tell. The process's own need
   * not be told: it forgets what it changes. Nothing is remembered where others use the database, unless they are listened to.
   */
  default RowChanges rowChanges() {
    return _ -> OptionalLong.empty();
  }

  /** Forces what was committed to disk. A server has done so when it answered; a database of this process writes, and forces later. */
  default void force() {}

  /** Returns the place of the installation's record. */
  RecordLocation installationRecord();

  /** Adds the metrics of the database. */
  void publish(MetricFamilies metrics);

  @Override
  void close();
}
