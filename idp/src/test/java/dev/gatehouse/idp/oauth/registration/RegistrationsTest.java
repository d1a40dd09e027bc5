package dev.gatehouse.idp.oauth.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.MemoryRegisteredClients;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.postgres.Announcements;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.remembered.RowChanges.Table;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two nodes over one database: a client that is changed or removed at one of them is so at the other. */
class RegistrationsTest {

  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final Realm REALM = TestClients.realm(TestClients.secret("tv", Method.SECRET_BASIC));

  private final MemoryRegisteredClients database = new MemoryRegisteredClients();
  private volatile OptionalLong heard = OptionalLong.of(0);
  private final Registrations here = new Registrations(database, table -> OptionalLong.of(0));
  private final Registrations there = new Registrations(database, table -> heard);

  private static RegisteredClient client(String name) {
    return new RegisteredClient(
        REALM.name(),
        ID,
        "{\"client_name\":\"" + name + "\",\"redirect_uris\":[\"https://app.test/cb\"]}",
        Optional.of("sealed"),
        "digest",
        "ops",
        Instant.EPOCH);
  }

  private String known() {
    return there.find(REALM, ID).flatMap(client -> client.config().displayName()).orElse("none");
  }

  @Test
  void aClientIsRememberedUntilTheOtherNodeTellsAChange() {
    assertThat(known()).isEqualTo("none");
    database.add(client("first"));
    assertThat(known()).as("absence is not remembered").isEqualTo("first");
    here.change(client("second"));
    assertThat(known()).as("nothing was told yet").isEqualTo("first");
    heard = OptionalLong.of(1);
    assertThat(known()).isEqualTo("second");
    here.remove(REALM.name(), ID);
    heard = OptionalLong.of(2);
    assertThat(known()).isEqualTo("none");
  }

  @Test
  void aClientIsReadAgainWhileNothingWouldBeTold() {
    database.add(client("first"));
    assertThat(known()).isEqualTo("first");
    here.remove(REALM.name(), ID);
    heard = OptionalLong.empty();
    assertThat(known()).isEqualTo("none");
  }

  /** With a real PostgreSQL between them. */
  @Test
  void whatOneNodeChangesOrRemovesIsSoAtTheOther() throws Exception {
    try (Postgres server = Postgres.start();
        PostgresDatabase one = PostgresDatabase.open(server.config());
        PostgresDatabase two = PostgresDatabase.open(server.config());
        Announcements atOne = new Announcements(one);
        Announcements atTwo = new Announcements(two)) {
      Eventually.holds(() -> atTwo.heard(Table.REGISTERED_CLIENT).isPresent());
      RegisteredClients clients = new JdbcRegisteredClients(one);
      Registrations first = new Registrations(clients, atOne);
      Registrations second = new Registrations(new JdbcRegisteredClients(two), atTwo);
      clients.add(client("first"));
      assertThat(second.find(REALM, ID).flatMap(found -> found.config().displayName())).contains("first");
      assertThat(first.change(client("second"))).isTrue();
      Eventually.holds(() -> second.find(REALM, ID).flatMap(found -> found.config().displayName()).equals(Optional.of("second")));
      assertThat(first.remove(REALM.name(), ID)).isTrue();
      Eventually.holds(() -> second.find(REALM, ID).isEmpty());
    }
  }
}
