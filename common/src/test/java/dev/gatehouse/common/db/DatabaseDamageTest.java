package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.remembered.RowChanges.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** H2's file with flipped bytes or cut off: H2 alone silently opens it with the last complete state that it finds. */
class DatabaseDamageTest {

  private static final int ROWS = 400;
  private static final int BLOCK = 4096;

  @TempDir Path data;
  private Path file;
  private long position;

  @BeforeEach
  void fill() {
    file = data.resolve("h2/gatehouse.mv.db");
    try (H2Database database = Database.embedded(data)) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      jdbc.sql("create table filled (id integer primary key, content varchar(1000))").update();
      for (int i = 0; i < ROWS; i++) {
        jdbc.sql("insert into filled (id, content) values (?, ?)").params(i, (i + "text").repeat(60)).update();
      }
      position = database.sync();
    }
  }

  @Test
  void comesNoLessFarAfterItWasClosedAndOpened() {
    for (int i = 0; i < 2; i++) {
      try (H2Database database = Database.embedded(data)) {
        assertThat(database.position()).isGreaterThanOrEqualTo(position);
        position = database.sync();
      }
    }
  }

  @Test
  void findsBlocksOfZerosBeforeAnythingIsServed() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int found = 0;
    for (int at = 0; at < whole.length; at += 3 * BLOCK) {
      byte[] zeroed = whole.clone();
      Arrays.fill(zeroed, at, Math.min(at + BLOCK, whole.length), (byte) 0);
      Files.write(file, zeroed);
      found += isFound() ? 1 : 0;
    }
    assertThat(found).isPositive();
  }

  @Test
  void findsThatTheFileWasCutOff() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int found = 0;
    for (double part : new double[] {0.97, 0.9, 0.7, 0.5, 0.1}) {
      Files.write(file, Arrays.copyOf(whole, (int) (whole.length * part)));
      found += isFound() ? 1 : 0;
    }
    assertThat(found).isPositive();
  }

  @Test
  void aFileThatIsLostWhileItIsOpenIsSaidAndNothingIsAcknowledgedMeanwhile() throws IOException {
    Path elsewhere = data.resolve("elsewhere");
    try (H2Database database = Database.embedded(data)) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      OptionalLong before = database.rowChanges().heard(Table.ACCOUNT_LINK);
      Files.move(file, elsewhere);
      Eventually.holds(() -> database.problem().isPresent());
      assertThat(database.problem()).contains("The file " + file + " is gone");
      assertThatThrownBy(() -> jdbc.sql("delete from filled").update()).isInstanceOf(DataAccessException.class);
      assertThatThrownBy(() -> DatabaseTransactions.of(database).executeWithoutResult(status -> {})).isInstanceOf(DataAccessException.class);
      assertThat(file).as("no empty one in its place").doesNotExist();
      Files.move(elsewhere, file);
      Eventually.holds(() -> database.problem().isEmpty());
      assertThat(jdbc.sql("select count(*) from filled").query(Integer.class).single()).isEqualTo(ROWS);
      OptionalLong opened = database.rowChanges().heard(Table.ACCOUNT_LINK);
      assertThat(before).isNotEmpty();
      assertThat(opened).as("no row counts that was read before").isNotEmpty().isNotEqualTo(before);
    }
  }

  /** Returns whether the damage is found; if not, every row must exist, because the damaged bytes were unused. */
  private boolean isFound() {
    try (H2Database database = Database.embedded(data)) {
      if (database.position() < position) {
        return true;
      }
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      List<String> rows = jdbc.sql("select content from filled order by id").query(String.class).list();
      assertThat(rows).hasSize(ROWS);
      for (int i = 0; i < ROWS; i++) {
        assertThat(rows.get(i)).isEqualTo((i + "text").repeat(60));
      }
      return false;
    } catch (StoreDamaged e) {
      assertThat(e.getMessage()).contains(file.toString(), "--accept-loss h2");
      return true;
    }
  }
}
