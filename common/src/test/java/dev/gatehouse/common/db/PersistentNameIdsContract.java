package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.store.Race;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every form of {@link PersistentNameIds} keeps. */
abstract class PersistentNameIdsContract {

  static final PersonId ALICE = new PersonId("alice-uuid");
  static final PersonId BOB = new PersonId("bob-uuid");
  static final String PARTNER = "https://sp.example/metadata";

  /** None stored yet; the same one for the whole of a test. */
  abstract PersistentNameIds nameIds();

  private static String fresh() {
    return UUID.randomUUID().toString();
  }

  @Test
  void givesThePersonTheSameNameEachTime() {
    assertThat(nameIds().find("demo", PARTNER, ALICE)).isEmpty();
    String name = nameIds().findOrCreate("demo", PARTNER, ALICE, () -> "first");
    assertThat(name).isEqualTo("first");
    assertThat(nameIds().findOrCreate("demo", PARTNER, ALICE, () -> "second")).isEqualTo("first");
    assertThat(nameIds().find("demo", PARTNER, ALICE)).contains("first");
    assertThat(nameIds().findPerson("demo", PARTNER, "first")).contains(ALICE);
    assertThat(nameIds().findPerson("demo", PARTNER, "FIRST")).isEmpty();
  }

  @Test
  void keepsRealmsAndPartnersApart() {
    nameIds().findOrCreate("demo", PARTNER, ALICE, () -> "first");
    assertThat(nameIds().find("demo2", PARTNER, ALICE)).isEmpty();
    assertThat(nameIds().find("demo", PARTNER + "2", ALICE)).isEmpty();
    assertThat(nameIds().findPerson("demo2", PARTNER, "first")).isEmpty();
    assertThat(nameIds().findPerson("demo", PARTNER + "2", "first")).isEmpty();
    assertThat(nameIds().findOrCreate("demo2", PARTNER, BOB, () -> "first")).isEqualTo("first");
  }

  @Test
  void neverGivesOneNameToTwo() {
    nameIds().findOrCreate("demo", PARTNER, ALICE, () -> "first");
    Iterator<String> values = List.of("first", "first", "third").iterator();
    assertThat(nameIds().findOrCreate("demo", PARTNER, BOB, values::next)).isEqualTo("third");
    assertThat(nameIds().findPerson("demo", PARTNER, "first")).contains(ALICE);
    assertThatIllegalStateException()
        .isThrownBy(() -> nameIds().findOrCreate("demo", PARTNER, new PersonId("eve"), () -> "first"));
  }

  @Test
  void givesParallelCallersTheSameName() throws Exception {
    for (int round = 0; round < 20; round++) {
      PersonId person = new PersonId("person-" + round);
      List<String> names =
          Race.of(32, i -> () -> nameIds().findOrCreate("demo", PARTNER, person, PersistentNameIdsContract::fresh));
      assertThat(new HashSet<>(names)).hasSize(1);
      assertThat(nameIds().findPerson("demo", PARTNER, names.getFirst())).contains(person);
    }
  }

  @Test
  void takesLongNamesLiterally() {
    String partner = "https://sp.example/" + "x".repeat(1000);
    String value = "'; drop table persistent_name_id; --" + "ä".repeat(200);
    assertThat(nameIds().findOrCreate("demo", partner, ALICE, () -> value)).isEqualTo(value);
    assertThat(nameIds().findPerson("demo", partner, value)).contains(ALICE);
  }
}
