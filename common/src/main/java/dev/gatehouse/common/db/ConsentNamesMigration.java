package dev.gatehouse.common.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * Moves the names of consents from lines of a column ({@code consent.attributes}) to a row each ({@code consent_name}).
 *
 * <p>Clients chose the names of claims, and these could contain line feeds: {@code claim:theme\nemail} was stored, and read, as
 * consent to the scope {@code email} too. Neither the rows nor the lines that came about that way can be recognised, because later
 * answers sorted the lines. A row of an OAuth client with a claim among several lines is therefore dropped, and the person is
 * asked again. Rows with scopes only and rows of SAML partners contain names that clients could not choose.
 */
final class ConsentNamesMigration implements JavaMigration {

  @Override
  public MigrationVersion getVersion() {
    return MigrationVersion.fromVersion("7");
  }

  @Override
  public String getDescription() {
    return "consent name";
  }

  @Override
  public Integer getChecksum() {
    return 1;
  }

  @Override
  public boolean canExecuteInTransaction() {
    return true;
  }

  @Override
  public void migrate(Context context) throws SQLException {
    Connection connection = context.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table consent_name (
            realm varchar(100) not null,
            partner varchar(1024) not null,
            person_id varchar(255) not null,
            name varchar(1000) not null,
            primary key (realm, partner, person_id, name),
            foreign key (realm, partner, person_id) references consent on delete cascade
          )""");
      copy(connection);
      statement.execute("alter table consent drop column attributes");
    }
  }

  private static void copy(Connection connection) throws SQLException {
    try (PreparedStatement old =
            connection.prepareStatement("select realm, partner, person_id, attributes from consent");
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into consent_name (realm, partner, person_id, name) values (?, ?, ?, ?)");
        ResultSet rows = old.executeQuery()) {
      while (rows.next()) {
        for (String name : names(rows.getString("partner"), rows.getString("attributes"))) {
          insert.setString(1, rows.getString("realm"));
          insert.setString(2, rows.getString("partner"));
          insert.setString(3, rows.getString("person_id"));
          insert.setString(4, name);
          insert.executeUpdate();
        }
      }
    }
  }

  /** Returns the names to which the person certainly agreed. */
  static Set<String> names(String partner, String lines) {
    Set<String> names = Stream.of(lines.split("\n", -1)).filter(line -> !line.isEmpty()).collect(Collectors.toSet());
    boolean isAmbiguous =
        partner.startsWith("oauth:") && names.size() > 1 && names.stream().anyMatch(name -> name.startsWith("claim:"));
    return isAmbiguous ? Set.of() : names;
  }
}
