package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.RecordLocation;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.remembered.OwnChanges;
import dev.gatehouse.common.remembered.RowChanges;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database in memory that tests of a JVM share, one after the other: making the tables of a new one takes a fifth of a second.
 * For tests that use one database at a time, and do not change its tables. To close it does nothing.
 */
public final class EmptiedDatabase implements Database {

  /** Made when the first test wants it. */
  private static final class Shared {
    static final H2Database DATABASE = H2Database.inMemory();
    static final JdbcClient JDBC = JdbcClient.create(DATABASE.dataSource());
    static final List<String> TABLES =
        JDBC.sql(
                "select table_name from information_schema.tables"
                    + " where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'flyway_schema_history'")
            .query(String.class)
            .list();
  }

  private EmptiedDatabase() {}

  /** Returns the database, without rows. */
  public static Database get() {
    Shared.JDBC.sql("set referential_integrity false").update();
    Shared.TABLES.forEach(table -> Shared.JDBC.sql("delete from \"" + table + "\"").update());
    Shared.JDBC.sql("set referential_integrity true").update();
    return new EmptiedDatabase();
  }

  @Override
  public DataSource dataSource() {
    return Shared.DATABASE.dataSource();
  }

  @Override
  public Optional<String> problem() {
    return Shared.DATABASE.problem();
  }

  @Override
  public Optional<OwnChanges> changes() {
    return Shared.DATABASE.changes();
  }

  @Override
  public RowChanges rowChanges() {
    return Shared.DATABASE.rowChanges();
  }

  @Override
  public void force() {
    Shared.DATABASE.force();
  }

  @Override
  public RecordLocation installationRecord() {
    return Shared.DATABASE.installationRecord();
  }

  @Override
  public void publish(MetricFamilies metrics) {
    Shared.DATABASE.publish(metrics);
  }

  /** The next test uses the database. */
  @Override
  public void close() {}
}
