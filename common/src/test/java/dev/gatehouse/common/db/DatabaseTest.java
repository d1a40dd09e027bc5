package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {

  @Nested
  class InMemory extends PersistentNameIdsContract {
    private final Database database = Database.inMemory();
    private final PersistentNameIds nameIds = new JdbcPersistentNameIds(database, new TestTime());

    @Override
    PersistentNameIds nameIds() {
      return nameIds;
    }

    @AfterEach
    void close() {
      database.close();
    }
  }

  @Nested
  class Embedded extends PersistentNameIdsContract {
    @TempDir private Path data;
    private Database database;
    private PersistentNameIds nameIds;

    @BeforeEach
    void open() {
      database = Database.embedded(data);
      nameIds = new JdbcPersistentNameIds(database, new TestTime());
    }

    @Override
    PersistentNameIds nameIds() {
      return nameIds;
    }

    @AfterEach
    void close() {
      database.close();
      database.close();
    }

    @Test
    void isThereAfterARestart() {
      nameIds.findOrCreate("demo", PARTNER, ALICE, () -> "first");
      close();
      open();
      assertThat(nameIds.find("demo", PARTNER, ALICE)).contains("first");
      assertThat(nameIds.findPerson("demo", PARTNER, "first")).contains(ALICE);
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
      new JdbcPersistentNameIds(one, new TestTime())
          .findOrCreate("demo", "sp", PersistentNameIdsContract.ALICE, () -> "x");
      assertThat(new JdbcPersistentNameIds(two, new TestTime()).find("demo", "sp", PersistentNameIdsContract.ALICE))
          .isEmpty();
    }
  }

  @Test
  void saysWhereItCannotBeOpened(@TempDir Path data) throws Exception {
    Files.createDirectory(data.resolve("h2"));
    Files.writeString(data.resolve("h2/gatehouse.mv.db"), "not a database".repeat(1000));
    assertThatThrownBy(() -> Database.embedded(data)).hasMessageContaining("gatehouse.mv.db");
  }
}
