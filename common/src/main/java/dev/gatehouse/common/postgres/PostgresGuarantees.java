package dev.gatehouse.common.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a server says about itself at a connect.
 *
 * @param version as {@code server_version_num}
 * @param synchronousStandbys the setting {@code synchronous_standby_names}; empty if no standby is waited for
 * @param tls the protocol's version; empty without TLS
 * @param timeline rises with each promotion of a standby
 * @param lostAtPowerFailure names of the settings that make acknowledged writes depend on the power
 */
public record PostgresGuarantees(
    int version,
    String synchronousCommit,
    String synchronousStandbys,
    Optional<String> tls,
    long timeline,
    List<String> lostAtPowerFailure) {

  private static final int LEAST_VERSION = 14;
  private static final int MAJOR = 10_000;

  private static final String QUERY =
      """
      select current_setting('server_version_num')::int, current_setting('synchronous_commit'),
        current_setting('synchronous_standby_names'), current_setting('fsync'), current_setting('full_page_writes'),
        (select case when ssl then version end from pg_stat_ssl where pid = pg_backend_pid()),
        ('x' || lpad(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), 16, '0'))::bit(64)::bigint
      """;

  static PostgresGuarantees of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(QUERY)) {
      if (!row.next()) {
        throw new SQLException("The server says nothing about itself");
      }
      List<String> off = new ArrayList<>();
      if (row.getString(4).equals("off")) {
        off.add("fsync");
      }
      if (row.getString(5).equals("off")) {
        off.add("full_page_writes");
      }
      return new PostgresGuarantees(
          row.getInt(1), row.getString(2), row.getString(3), Optional.ofNullable(row.getString(6)), row.getLong(7), List.copyOf(off));
    }
  }

  /** Returns why nothing may be stored there, as the end of a sentence; empty if acknowledged writes are durable. */
  Optional<String> defect() {
    if (version / MAJOR < LEAST_VERSION) {
      return Optional.of("is of version " + version / MAJOR + ": install version " + LEAST_VERSION + " or later");
    }
    if (synchronousCommit.equals("off")) {
      return Optional.of(
          "acknowledges what it has not written (synchronous_commit = off): set synchronous_commit = on for the server, the database and "
              + "the user");
    }
    if (synchronousCommit.equals("local") && !synchronousStandbys.isEmpty()) {
      return Optional.of(
          "does not wait for its standbys (synchronous_commit = local beside synchronous_standby_names): set synchronous_commit = on");
    }
    return Optional.empty();
  }

  /** Returns the major version. */
  public int majorVersion() {
    return version / MAJOR;
  }

  /** Returns what is guaranteed, and what not, for an operator. */
  public List<String> sentences() {
    List<String> all = new ArrayList<>();
    all.add("version " + majorVersion() + "." + version % MAJOR + ", " + tls.orElse("no TLS"));
    all.add(
        synchronousStandbys.isEmpty()
            ? "synchronous_commit = " + synchronousCommit + ", no synchronous standby: what was acknowledged is lost with the server's disk"
            : "synchronous_commit = " + synchronousCommit + ", synchronous standbys: " + synchronousStandbys);
    for (String setting : lostAtPowerFailure) {
      all.add(setting + " = off: what was acknowledged may be lost at a power failure; set it on");
    }
    return List.copyOf(all);
  }
}
