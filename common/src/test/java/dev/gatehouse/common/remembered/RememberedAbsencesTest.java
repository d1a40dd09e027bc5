package dev.gatehouse.common.remembered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** That there are no rows counts until a change begins, and rows that are there are read each time. */
class RememberedAbsencesTest {

  private static final String KEY = "demo\nalice";

  private final OwnChanges changes = new OwnChanges();
  private final RememberedAbsences absences = new RememberedAbsences(Optional.of(changes));
  private List<String> stored = List.of();
  private int reads;

  private List<String> read() {
    reads++;
    return stored;
  }

  private List<String> get() {
    return absences.read(KEY, this::read);
  }

  @Test
  void rowsAreSoughtOnceUntilAChangeForTheKeyOrForAll() {
    assertThat(get()).isEmpty();
    assertThat(get()).isEmpty();
    assertThat(reads).isEqualTo(1);
    changes.begin(KEY);
    changes.end(KEY);
    assertThat(get()).isEmpty();
    assertThat(reads).isEqualTo(2);
    changes.begin();
    changes.end();
    stored = List.of("row");
    assertThat(get()).containsExactly("row");
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void rowsThatAreThereAreReadEachTime() {
    stored = List.of("row");
    assertThat(get()).containsExactly("row");
    stored = List.of("another");
    assertThat(get()).containsExactly("another");
    stored = List.of();
    assertThat(get()).isEmpty();
    assertThat(get()).isEmpty();
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void nothingIsRememberedWhileAChangeIsUnderWay() {
    get();
    changes.begin(KEY);
    assertThat(get()).isEmpty();
    assertThat(get()).isEmpty();
    assertThat(reads).as("what it changes may be committed at any moment").isEqualTo(3);
    stored = List.of("row");
    changes.end(KEY);
    assertThat(get()).containsExactly("row");
  }

  @Test
  void aRowThatIsAddedWhileRowsAreSoughtIsFoundNextTime() {
    List<String> found =
        absences.read(
            KEY,
            () -> {
              List<String> before = read();
              changes.begin(KEY);
              stored = List.of("row");
              changes.end(KEY);
              return before;
            });
    assertThat(found).isEmpty();
    assertThat(get()).containsExactly("row");
  }

  @Test
  void nothingIsRememberedWhereOthersChangeRowsToo() {
    RememberedAbsences shared = new RememberedAbsences(Optional.empty());
    shared.read(KEY, this::read);
    shared.read(KEY, this::read);
    assertThat(reads).isEqualTo(2);
  }
}
