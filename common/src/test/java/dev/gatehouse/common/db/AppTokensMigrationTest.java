package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Authenticator apps of the former version are tokens, also while its nodes go on to write them. */
final class AppTokensMigrationTest {

  private static final PersonId ALICE = new PersonId("alice-uuid");
  private static final PersonId BOB = new PersonId("bob-uuid");
  private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");
  private static final String URL = ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_ON_EXIT=FALSE";
  private static final String AT = "timestamp with time zone '2026-11-26 10:11:12+00:00'";

  @TempDir private Path data;

  private static String app(String person, String id) {
    return "insert into second_factor values ('demo', '" + person + "', '" + id + "', 'Phone', 6, X'0102', " + AT + ", null)";
  }

  private void formerVersion() throws Exception {
    Files.createDirectories(data.resolve("h2"));
    String url = "jdbc:h2:file:" + data.toAbsolutePath().resolve("h2/gatehouse") + URL;
    Flyway.configure()
        .dataSource(url, "gatehouse", "")
        .locations("classpath:db/migration")
        .javaMigrations(new ConsentNamesMigration())
        .target("28?")
        .load()
        .migrate();
    try (Connection connection = DriverManager.getConnection(url, "gatehouse", "");
        Statement sql = connection.createStatement()) {
      sql.execute(app("alice-uuid", "a1"));
      sql.execute(app("alice-uuid", "a2"));
      sql.execute(app("bob-uuid", "b1"));
      sql.execute("insert into second_factor_state values ('demo', 'alice-uuid', 100, 7)");
      sql.execute("insert into recovery_code values ('demo', 'alice-uuid', 'digest')");
      sql.execute("insert into otp_person values ('demo', 'alice-uuid', X'05', false, 2, null)");
      sql.execute("insert into second_factor_state values ('demo', 'carol-uuid', 100, 99)");
    }
  }

  @Test
  void appsBecomeTokensWithTheirMarksCountsAndRecoveryCodes() throws Exception {
    formerVersion();
    try (Database database = Database.embedded(data)) {
      JdbcTokens tokens = new JdbcTokens(database);
      JdbcSecondFactors factors = new JdbcSecondFactors(database);
      assertThat(tokens.of("demo", ALICE)).extracting(Token::serial).containsExactly("a1", "a2");
      Token first = tokens.owned("demo", ALICE).tokens().getFirst();
      assertThat(first.type()).isEqualTo(new TokenType(TokenType.Kind.APP, TokenType.Hash.SHA1, 6, 30));
      assertThat(first.lastUsed()).isEqualTo(100);
      assertThat(first.state()).isEqualTo(Token.State.ENABLED);
      assertThat(first.sealedSeed()).containsExactly(1, 2);
      assertThat(tokens.owned("demo", ALICE).holder().wrong()).as("wrong passcodes").isEqualTo(2);
      assertThat(factors.wrongCodes("demo", ALICE)).as("wrong codes of apps, which have no end").isEqualTo(7);
      assertThat(tokens.owned("demo", BOB).tokens()).extracting(Token::serial).containsExactly("b1");
      assertThat(tokens.holder("demo", new PersonId("carol-uuid"))).as("somebody without an app").isEqualTo(TokenHolder.NEW);
      assertThat(factors.of("demo", ALICE)).extracting(Factor::label).containsExactly("Phone", "Phone");
      assertThat(factors.recoveryCodesLeft("demo", ALICE)).isEqualTo(1);
    }
  }

  private static int rows(Database database, String table, String person) {
    return JdbcClient.create(database.dataSource())
        .sql("select count(*) from " + table + " where realm = 'demo' and person_id = ?").params(person).query(Integer.class).single();
  }

  @Test
  void nothingIsLeftOfPeopleWithoutAppsAndTokens() throws Exception {
    formerVersion();
    String url = "jdbc:h2:file:" + data.toAbsolutePath().resolve("h2/gatehouse") + URL;
    try (Connection connection = DriverManager.getConnection(url, "gatehouse", "");
        Statement sql = connection.createStatement()) {
      sql.execute("insert into recovery_code values ('demo', 'carol-uuid', 'digest')");
      sql.execute("insert into otp_person values ('demo', 'carol-uuid', null, false, 2, null)");
    }
    try (Database database = Database.embedded(data)) {
      for (String table : List.of("recovery_code", "second_factor_state", "otp_person")) {
        assertThat(rows(database, table, "carol-uuid")).as(table).isZero();
        assertThat(rows(database, table, "alice-uuid")).as(table).isEqualTo(1);
      }
      assertThat(rows(database, "otp_person", "bob-uuid")).isEqualTo(1);
      assertThat(new JdbcTokens(database).assign("demo", "unknown", new PersonId("carol-uuid"))).isFalse();
      assertThat(rows(database, "otp_person", "carol-uuid")).as("who got no token").isZero();
      assertThat(new JdbcTokens(database).assign("demo", "unknown", ALICE)).isFalse();
      assertThat(rows(database, "otp_person", "alice-uuid")).isEqualTo(1);
    }
  }

  @Test
  void whatNodesOfTheFormerVersionDoMeanwhileCounts() throws Exception {
    formerVersion();
    try (Database database = Database.embedded(data)) {
      JdbcTokens tokens = new JdbcTokens(database);
      JdbcSecondFactors factors = new JdbcSecondFactors(database);
      JdbcClient former = JdbcClient.create(database.dataSource());
      former.sql(app("alice-uuid", "a3")).update();
      assertThat(factors.of("demo", ALICE)).hasSize(3);
      assertThat(tokens.of("demo", ALICE)).as("one that an old node has set up").extracting(Token::serial).contains("a3");
      former.sql("delete from second_factor where factor_id = 'a1'").update();
      assertThat(tokens.of("demo", ALICE)).as("one that an old node has removed").extracting(Token::serial).containsExactly("a2", "a3");
      assertThat(tokens.owned("demo", ALICE).tokens()).extracting(Token::serial).containsExactly("a2", "a3");
      former.sql("update second_factor_state set last_step = 200").update();
      assertThat(factors.accept("demo", ALICE, "a2", 200, NOW)).as("a code that an old node has taken").isFalse();
      assertThat(factors.accept("demo", ALICE, "a2", 201, NOW)).isTrue();
    }
  }

  @Test
  void whoeverTakesAnAppFromItsPersonDeletesItEverywhere() throws Exception {
    formerVersion();
    try (Database database = Database.embedded(data)) {
      JdbcTokens tokens = new JdbcTokens(database);
      JdbcSecondFactors factors = new JdbcSecondFactors(database);
      assertThat(tokens.unassign("demo", "a1", ALICE)).isTrue();
      assertThat(factors.of("demo", ALICE)).extracting(Factor::id).containsExactly("a2");
      assertThat(factors.recoveryCodesLeft("demo", ALICE)).isEqualTo(1);
      assertThat(tokens.remove("demo", "a2")).isTrue();
      assertThat(tokens.find("demo", "a2")).isEmpty();
      assertThat(factors.of("demo", ALICE)).isEmpty();
      assertThat(factors.recoveryCodesLeft("demo", ALICE)).as("with the last app").isZero();
      assertThat(tokens.holder("demo", ALICE)).isEqualTo(TokenHolder.NEW);
      assertThat(factors.removeAll("demo", BOB)).isTrue();
      assertThat(tokens.list("demo", "", 10)).isEmpty();
    }
  }

  @Test
  void whoIsErasedWithoutAnAppLeavesNoCodesAndCountsOfApps() throws Exception {
    formerVersion();
    try (Database database = Database.embedded(data)) {
      JdbcSecondFactors factors = new JdbcSecondFactors(database);
      PersonId carol = new PersonId("carol-uuid");
      JdbcClient.create(database.dataSource()).sql("insert into second_factor_state values ('demo', 'carol-uuid', 100, 99)").update();
      assertThat(factors.wrongCodes("demo", carol)).isEqualTo(99);
      factors.keepRecoveryCodes("demo", carol, Set.of("digest"));
      new JdbcTokens(database).erase("demo", carol);
      assertThat(factors.wrongCodes("demo", carol)).isZero();
      assertThat(factors.recoveryCodesLeft("demo", carol)).isZero();
      factors.countWrong("demo", BOB);
      factors.erase("demo", BOB);
      assertThat(factors.wrongCodes("demo", BOB)).isZero();
    }
  }

  @Test
  void anotherTokenKeepsWhatCountsForThePersonWhenTheLastAppGoes() throws Exception {
    formerVersion();
    try (Database database = Database.embedded(data)) {
      JdbcTokens tokens = new JdbcTokens(database);
      JdbcSecondFactors factors = new JdbcSecondFactors(database);
      tokens.add("demo", List.of(Token.created("t", TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
      assertThat(tokens.assign("demo", "t", ALICE)).isTrue();
      assertThat(factors.removeAll("demo", ALICE)).isTrue();
      assertThat(tokens.holder("demo", ALICE).wrong()).isEqualTo(2);
      assertThat(tokens.holder("demo", ALICE).sealedPins()).isPresent();
    }
  }
}
