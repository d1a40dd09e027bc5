package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLinksContract;
import dev.gatehouse.common.federation.PersistentNameIdsContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {

  private static final PersonId ALICE = new PersonId("alice-uuid");

  @Nested
  class NamesInMemory extends PersistentNameIdsContract {
    private final Database database = EmptiedDatabase.get();
    private final NamePairs pairs = new JdbcNamePairs(Kind.GIVEN, database, new TestTime());

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }

  @Nested
  class LinksInMemory extends AccountLinksContract {
    private final Database database = EmptiedDatabase.get();
    private final NamePairs pairs = new JdbcNamePairs(Kind.LINKED, database, new TestTime());

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }

  @Nested
  class SecretsInMemory extends PersonSecretsContract {
    private final Database database = EmptiedDatabase.get();
    private final PersonSecrets secrets = new JdbcPersonSecrets(database);

    @Override
    protected PersonSecrets secrets() {
      return secrets;
    }
  }

  @Nested
  class ConsentsInMemory extends ConsentsContract {
    private final Database database = EmptiedDatabase.get();
    private final Consents consents = new JdbcConsents(database, time);

    @Override
    protected Consents consents() {
      return consents;
    }
  }

  @Nested
  class ClientsInMemory extends RegisteredClientsContract {
    private final Database database = EmptiedDatabase.get();
    private final RegisteredClients clients = new JdbcRegisteredClients(database);

    @Override
    protected RegisteredClients clients() {
      return clients;
    }
  }

  @Nested
  class ClientsEmbedded extends RegisteredClientsContract {
    @TempDir private Path data;
    private Database database;
    private RegisteredClients clients;

    @BeforeEach
    void open() {
      database = Database.embedded(data);
      clients = new JdbcRegisteredClients(database);
    }

    @Override
    protected RegisteredClients clients() {
      return clients;
    }

    @AfterEach
    void close() {
      database.close();
    }

    @Test
    void isThereAfterARestart() {
      isFoundByRealmAndId();
      close();
      open();
      assertThat(clients.find("demo", "app")).isPresent();
    }
  }

  @Nested
  class Embedded extends PersistentNameIdsContract {
    @TempDir private Path data;
    private Database database;
    private NamePairs pairs;

    @BeforeEach
    void open() {
      database = Database.embedded(data);
      pairs = new JdbcNamePairs(Kind.GIVEN, database, new TestTime());
    }

    @Override
    protected NamePairs pairs() {
      return pairs;
    }

    @AfterEach
    void close() {
      database.close();
      database.close();
    }

    @Test
    void isThereAfterARestart() {
      pairs.add("demo", PARTNER, new NewPair(ALICE, "first"));
      close();
      open();
      assertThat(pairs.byPerson("demo", PARTNER, ALICE).map(NamePair::name)).contains("first");
      assertThat(pairs.byName("demo", PARTNER, "first").map(NamePair::person)).contains(ALICE);
    }

    @Test
    void isForItsOwnerOnly() throws Exception {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("h2"))))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void givesEachMemoryDatabaseItsOwnData() {
    try (Database one = Database.inMemory();
        Database two = Database.inMemory()) {
      new JdbcNamePairs(Kind.GIVEN, one, new TestTime()).add("demo", "sp", new NewPair(ALICE, "x"));
      assertThat(new JdbcNamePairs(Kind.GIVEN, two, new TestTime()).byPerson("demo", "sp", ALICE)).isEmpty();
    }
  }

  @Test
  void saysWhereItCannotBeOpened(@TempDir Path data) throws Exception {
    Files.createDirectory(data.resolve("h2"));
    Files.writeString(data.resolve("h2/gatehouse.mv.db"), "not a database".repeat(1000));
    assertThatThrownBy(() -> Database.embedded(data)).hasMessageContaining("gatehouse.mv.db");
  }
}
