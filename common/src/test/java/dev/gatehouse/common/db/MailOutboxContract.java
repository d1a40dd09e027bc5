package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link MailOutbox}. */
abstract class MailOutboxContract {

  private static final PersonId ALICE = new PersonId("alice");
  private static final Instant NOW = TestTime.START;

  protected abstract MailOutbox outbox();

  private static Waiting mail(String id, Optional<PersonId> person, Instant next) {
    return new Waiting(id, "demo", person, "newDevice", new byte[] {1, 2}, NOW, 0, next);
  }

  @Test
  void returnsWhatIsDueTheOldestFirst() {
    outbox().add(mail("late", Optional.of(ALICE), NOW.plusSeconds(60)), 10);
    outbox().add(mail("second", Optional.of(ALICE), NOW), 10);
    outbox().add(mail("first", Optional.empty(), NOW.minusSeconds(1)), 10);
    assertThat(outbox().due(NOW, 10)).extracting(Waiting::id).containsExactly("first", "second");
    assertThat(outbox().due(NOW, 1)).extracting(Waiting::id).containsExactly("first");
    assertThat(outbox().due(NOW, 10).getFirst().person()).isEmpty();
    assertThat(outbox().due(NOW, 10).getLast().sealedDetails()).containsExactly(1, 2);
    outbox().postpone("first", 1, NOW.plusSeconds(30));
    assertThat(outbox().due(NOW, 10)).extracting(Waiting::id).containsExactly("second");
    assertThat(outbox().due(NOW.plusSeconds(30), 10)).extracting(Waiting::tries).containsExactly(0, 1);
  }

  @Test
  void isBounded() {
    assertThat(outbox().add(mail("one", Optional.of(ALICE), NOW), 1)).isTrue();
    assertThat(outbox().add(mail("two", Optional.of(ALICE), NOW), 1)).isFalse();
    assertThat(outbox().size()).isEqualTo(1);
    assertThat(outbox().remove("one")).isTrue();
    assertThat(outbox().remove("one")).isFalse();
    assertThat(outbox().add(mail("two", Optional.of(ALICE), NOW), 1)).isTrue();
  }

  @Test
  void knowsAndRemovesTheMailOfAPerson() {
    outbox().add(mail("one", Optional.of(ALICE), NOW), 10);
    outbox().add(mail("two", Optional.of(ALICE), NOW), 10);
    outbox().add(mail("bobs", Optional.of(new PersonId("bob")), NOW), 10);
    assertThat(outbox().hasFor("demo", ALICE, "newDevice")).isTrue();
    assertThat(outbox().hasFor("demo", ALICE, "passwordChanged")).isFalse();
    assertThat(outbox().hasFor("other", ALICE, "newDevice")).isFalse();
    assertThat(outbox().ofPerson("demo", ALICE)).extracting(Waiting::id).containsExactly("one", "two");
    assertThat(outbox().removeAll("demo", ALICE)).isEqualTo(2);
    assertThat(outbox().size()).isEqualTo(1);
  }

  @Test
  void remembersNotices() {
    assertThat(outbox().noteOnce("a", NOW)).isTrue();
    assertThat(outbox().noteOnce("a", NOW.plusSeconds(5))).isFalse();
    outbox().forget("a");
    assertThat(outbox().noteOnce("a", NOW)).isTrue();
    outbox().forgetBefore(NOW);
    assertThat(outbox().noteOnce("a", NOW)).isFalse();
    outbox().forgetBefore(NOW.plusSeconds(1));
    assertThat(outbox().noteOnce("a", NOW)).isTrue();
  }
}
