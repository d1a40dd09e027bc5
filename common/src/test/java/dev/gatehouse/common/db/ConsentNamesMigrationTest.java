package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.directory.PersonId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consents of the former version, which stored a name per line, are read as narrowly as possible. */
final class ConsentNamesMigrationTest {

  private static final PersonId ALICE = new PersonId("alice-uuid");
  private static final String URL =
      ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_ON_EXIT=FALSE";

  @TempDir private Path data;

  @Test
  void readsRowsOfTheFormerVersionAsNarrowlyAsTheyCanBe() throws Exception {
    formerVersion(
        "https://app.example/saml", "uid\nurn:oid:0.9.2342.19200300.100.1.3",
        "https://empty.example", "",
        "oauth:scopes", "email\nopenid",
        "oauth:claim", "claim:theme",
        "oauth:attack", "claim:theme\nemail\noffline_access",
        "oauth:sorted-attack", "address\nclaim:theme\nopenid");
    try (Database database = Database.embedded(data)) {
      Consents consents = new JdbcConsents(database, new TestTime());
      assertThat(names(consents, "https://app.example/saml"))
          .containsExactlyInAnyOrder("uid", "urn:oid:0.9.2342.19200300.100.1.3");
      assertThat(names(consents, "https://empty.example")).isEmpty();
      assertThat(names(consents, "oauth:scopes")).containsExactlyInAnyOrder("email", "openid");
      assertThat(names(consents, "oauth:claim")).containsExactly("claim:theme");
      assertThat(names(consents, "oauth:attack")).isEmpty();
      assertThat(names(consents, "oauth:sorted-attack")).isEmpty();
      assertThat(consents.ofPerson("demo", ALICE)).as("still listed, so that it can be ended").hasSize(6);
      consents.give("demo", "oauth:attack", ALICE, Set.of("openid"));
      assertThat(names(consents, "oauth:attack")).containsExactly("openid");
      assertThat(consents.revoke("demo", "https://app.example/saml", ALICE)).isTrue();
      assertThat(consents.find("demo", "https://app.example/saml", ALICE)).isEmpty();
    }
  }

  private static Set<String> names(Consents consents, String partner) {
    return consents.find("demo", partner, ALICE).map(Consent::attributes).orElseThrow();
  }

  private void formerVersion(String... partnersAndNames) throws SQLException, java.io.IOException {
    Files.createDirectories(data.resolve("h2"));
    String url = "jdbc:h2:file:" + data.toAbsolutePath().resolve("h2/gatehouse") + URL;
    Flyway.configure().dataSource(url, "gatehouse", "").locations("classpath:db/migration").target("6").load().migrate();
    try (Connection connection = DriverManager.getConnection(url, "gatehouse", "");
        PreparedStatement insert =
            connection.prepareStatement("insert into consent values ('demo', ?, ?, ?, current_timestamp)")) {
      for (int i = 0; i < partnersAndNames.length; i += 2) {
        insert.setString(1, partnersAndNames[i]);
        insert.setString(2, ALICE.value());
        insert.setString(3, partnersAndNames[i + 1]);
        insert.executeUpdate();
      }
    }
  }
}
