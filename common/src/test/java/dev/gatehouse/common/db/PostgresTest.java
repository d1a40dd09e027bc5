package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.collect.PatternDetectorContract;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLinksContract;
import dev.gatehouse.common.federation.PersistentNameIdsContract;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.KnownPeopleContract;
import dev.gatehouse.common.otp.TokenRegisterContract;
import dev.gatehouse.common.otp.TokensContract;
import dev.gatehouse.common.passkey.JdbcPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.PasskeysContract;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The contracts of the tables on a real PostgreSQL: one server and one database for all. */
@Timeout(120)
class PostgresTest {

  private static Postgres server;
  private static Database database;
  private static List<String> tables = List.of();

  @BeforeAll
  static void start() throws Exception {
    server = Postgres.start();
    database = PostgresDatabase.open(server.config());
    tables =
        JdbcClient.create(database.dataSource())
            .sql("select tablename from pg_tables where schemaname = 'public' and tablename <> 'flyway_schema_history'")
            .query(String.class)
            .list();
  }

  @AfterAll
  static void stop() {
    if (database != null) {
      database.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void empty() {
    JdbcClient.create(database.dataSource()).sql("truncate " + String.join(", ", tables)).update();
  }

  @Test
  void hasEveryTable() {
    assertThat(tables).contains("administrator_grant", "analytics_amount", "mail_outbox", "password_reset", "recent_login");
  }

  @Test
  void longNamesAndIdsAreStored() {
    // As long as an entry's DN may be; an index of PostgreSQL has an upper bound for a row.
    PersonId longest = new PersonId(new java.util.Random(1).ints(1500, 'a', 'z').collect(
        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString());
    PasswordResets resets = new JdbcPasswordResets(database);
    resets.put("demo", new PasswordResets.PasswordReset(longest, "digest", TestTime.START, TestTime.START.plusSeconds(60), "proof"));
    assertThat(resets.ofPerson("demo", longest)).isPresent();
  }

  @Nested
  class Grants extends AdministratorGrantsContract {
    @Override
    protected AdministratorGrants grants() {
      return new JdbcAdministratorGrants(database);
    }
  }

  @Nested
  class Mails extends MailOutboxContract {
    @Override
    protected MailOutbox outbox() {
      return new JdbcMailOutbox(database);
    }
  }

  @Nested
  class Resets extends PasswordResetsContract {
    @Override
    protected PasswordResets resets() {
      return new JdbcPasswordResets(database);
    }
  }

  @Nested
  class Factors extends SecondFactorsContract {
    @Override
    protected SecondFactors factors() {
      return new JdbcSecondFactors(database);
    }
  }

  @Nested
  class Keys extends PasskeysContract {
    @Override
    protected Passkeys passkeys() {
      return new JdbcPasskeys(database);
    }
  }

  @Nested
  class TokensOfPeople extends TokensContract {
    @Override
    protected Tokens tokens() {
      return new JdbcTokens(database);
    }
  }

  @Nested
  class RegisterOfPeople extends KnownPeopleContract {
    @Override
    protected Database database() {
      return database;
    }
  }

  @Nested
  class RegisterOfTokens extends TokenRegisterContract {
    @Override
    protected Database database() {
      return database;
    }
  }

  @Nested
  class Secrets extends PersonSecretsContract {
    @Override
    protected PersonSecrets secrets() {
      return new JdbcPersonSecrets(database);
    }
  }

  @Nested
  class Consented extends ConsentsContract {
    @Override
    protected Consents consents() {
      return new JdbcConsents(database, time);
    }
  }

  @Nested
  class Clients extends RegisteredClientsContract {
    @Override
    protected RegisteredClients clients() {
      return new JdbcRegisteredClients(database);
    }
  }

  @Nested
  class Names extends PersistentNameIdsContract {
    @Override
    protected NamePairs pairs() {
      return new JdbcNamePairs(Kind.GIVEN, database, new TestTime());
    }
  }

  @Nested
  class Links extends AccountLinksContract {
    @Override
    protected NamePairs pairs() {
      return new JdbcNamePairs(Kind.LINKED, database, new TestTime());
    }
  }

  @Nested
  class Rollups extends RollupsContract {
    @Override
    protected RollupStore rollups() {
      return new JdbcRollups(database);
    }
  }

  @Nested
  class Patterns extends PatternDetectorContract {
    @Override
    protected Database database() {
      return database;
    }
  }
}
