package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.directory.CachedNamePairs;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.remembered.RowChanges.Table;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a node remembers of tables in one real PostgreSQL, and another one changes. */
@Timeout(120)
class RowChangesTest {

  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final PersonId ALICE = new PersonId("alice");

  private Postgres server;
  private PostgresDatabase one;
  private PostgresDatabase two;
  private Announcements atTwo;

  @BeforeEach
  void start() throws Exception {
    server = Postgres.withTables();
    one = PostgresDatabase.open(server.config());
    two = PostgresDatabase.open(server.config());
    atTwo = new Announcements(two);
    Eventually.holds(() -> atTwo.heard(Table.ACCOUNT_LINK).isPresent());
  }

  @AfterEach
  void stop() {
    atTwo.close();
    one.close();
    two.close();
    server.close();
  }

  private static RegisteredClient client(String metadata) {
    return new RegisteredClient("demo", ID, metadata, Optional.of("sealed"), "digest", "ops", Instant.EPOCH);
  }

  /** A busy machine may lose the proof for a moment. */
  private long proved(Table table) {
    Eventually.holds(() -> atTwo.heard(table).isPresent());
    return atTwo.heard(table).orElse(-1);
  }

  private void awaitChange(Table table, long before) {
    Eventually.holds(() -> atTwo.heard(table).orElse(before) != before);
  }

  @Test
  void changesAndRemovalsOfRegisteredClientsAreHeardAndAdditionsAreNot() throws Exception {
    RegisteredClients clients = new JdbcRegisteredClients(one);
    long first = proved(Table.REGISTERED_CLIENT);
    long links = proved(Table.ACCOUNT_LINK);
    clients.add(client("{}"));
    // What is announced arrives in order.
    server.execute("update account_link set name_id = name_id");
    awaitChange(Table.ACCOUNT_LINK, links);
    assertThat(proved(Table.REGISTERED_CLIENT)).isEqualTo(first);
    clients.change(client("{\"a\":1}"));
    awaitChange(Table.REGISTERED_CLIENT, first);
    long changed = proved(Table.REGISTERED_CLIENT);
    clients.remove("demo", ID);
    awaitChange(Table.REGISTERED_CLIENT, changed);
  }

  @Test
  void aNameThatIsRemovedAtOneNodeIsGoneAtTheOtherAtOnce() {
    for (Kind kind : Kind.values()) {
      Table table = kind == Kind.GIVEN ? Table.PERSISTENT_NAME_ID : Table.ACCOUNT_LINK;
      NamePairs here = new JdbcNamePairs(kind, one, new TestTime());
      NamePairs there = new CachedNamePairs(new JdbcNamePairs(kind, two, new TestTime()), () -> atTwo.heard(table));
      here.add("demo", "partner", new NewPair(ALICE, "name"));
      assertThat(there.byName("demo", "partner", "name")).isPresent();
      assertThat(there.byPerson("demo", "partner", ALICE)).isPresent();
      here.remove("demo", "partner", "name");
      Eventually.holds(() -> there.byName("demo", "partner", "name").isEmpty());
      assertThat(there.byPerson("demo", "partner", ALICE)).isEmpty();
    }
  }

  /** A notification is lost with its connection: what changed meanwhile counts as soon as there is another. */
  @Test
  void nothingThatIsRememberedCountsAfterALostConnection() throws Exception {
    long before = proved(Table.REGISTERED_CLIENT);
    server.execute("select pg_terminate_backend(pid) from pg_stat_activity where query in ('listen gatehouse', 'select 1')");
    awaitChange(Table.REGISTERED_CLIENT, before);
    assertThat(proved(Table.REGISTERED_CLIENT)).isGreaterThan(before);
  }

  @Test
  void nothingThatIsRememberedCountsWhileTheServerHangs() throws Exception {
    proved(Table.REGISTERED_CLIENT);
    server.pause();
    try {
      Eventually.holds(() -> atTwo.heard(Table.REGISTERED_CLIENT).isEmpty());
    } finally {
      server.resume();
    }
    proved(Table.REGISTERED_CLIENT);
  }
}
