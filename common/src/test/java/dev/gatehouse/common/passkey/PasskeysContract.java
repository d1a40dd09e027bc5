package dev.gatehouse.common.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys.Addition;
import dev.gatehouse.common.passkey.Passkeys.Model;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.passkey.Passkeys.State;
import dev.gatehouse.common.store.Race;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link Passkeys}. */
public abstract class PasskeysContract {

  private static final PersonId ALICE = new PersonId("alice-uuid");
  private static final PersonId BOB = new PersonId("bob-uuid");
  private static final Instant AT = Instant.parse("2026-11-21T05:00:00Z");

  protected abstract Passkeys passkeys();

  private static Passkey passkey(String id, long counter) {
    return new Passkey(
        id, ALICE, new byte[] {1, 2}, new Model("00000000-0000-0000-0000-000000000000", List.of("internal", "usb"), false),
        new State(counter, false, Optional.empty()), "Phone", "SECOND_FACTOR", AT);
  }

  private static State state(long counter) {
    return new State(counter, true, Optional.of(AT.plusSeconds(9)));
  }

  @Test
  void keepsWhatWasAddedByRealmAndPerson() {
    assertThat(passkeys().add("demo", passkey("a", 3), "s1", 5)).isTrue();
    assertThat(passkeys().add("demo", passkey("a", 3), "s1", 5)).as("the same ID").isFalse();
    assertThat(passkeys().of("demo", ALICE).getFirst()).usingRecursiveComparison().isEqualTo(passkey("a", 3));
    assertThat(passkeys().find("demo", "a")).isPresent();
    assertThat(passkeys().find("other", "a")).isEmpty();
    assertThat(passkeys().of("demo", BOB)).isEmpty();
  }

  @Test
  void aCounterOnlyGrowsAndOneThatIsNotThereStaysZero() {
    passkeys().add("demo", passkey("a", 3), "s1", 5);
    passkeys().add("demo", passkey("z", 0), "s1", 5);
    assertThat(passkeys().use("demo", "a", state(3))).isFalse();
    assertThat(passkeys().use("demo", "a", state(0))).isFalse();
    assertThat(passkeys().use("demo", "a", state(4))).isTrue();
    assertThat(passkeys().find("demo", "a").orElseThrow().state()).isEqualTo(state(4));
    assertThat(passkeys().use("demo", "z", state(0))).isTrue();
    assertThat(passkeys().use("demo", "z", state(0))).isTrue();
    assertThat(passkeys().use("demo", "unknown", state(1))).isFalse();
  }

  @Test
  void ofParallelUsesOfACounterOneWins() throws Exception {
    passkeys().add("demo", passkey("a", 3), "s1", 5);
    assertThat(Race.of(24, i -> () -> passkeys().use("demo", "a", state(4)))).containsOnlyOnce(true);
  }

  @Test
  void noMoreThanTheLimitAlsoInParallel() throws Exception {
    passkeys().userHandle("demo", ALICE, "handle");
    List<Boolean> answers = Race.of(12, i -> () -> passkeys().add("demo", passkey("p" + i, 0), "s1", 5));
    assertThat(answers.stream().filter(added -> added)).hasSize(5);
  }

  @Test
  void ofParallelRemovalsOfTheLastStrongOnesOneStays() throws Exception {
    passkeys().userHandle("demo", ALICE, "handle");
    passkeys().add("demo", passkey("a", 0), "s1", 5);
    passkeys().add("demo", passkey("b", 0), "s1", 5);
    assertThat(Race.of(2, i -> () -> passkeys().removeUnlessLast("demo", ALICE, i == 0 ? "a" : "b"))).containsOnlyOnce(true);
    assertThat(passkeys().of("demo", ALICE)).hasSize(1);
    passkeys().setLevel("demo", ALICE, passkeys().of("demo", ALICE).getFirst().id(), "PROTECTED_PASSWORD");
    assertThat(passkeys().removeUnlessLast("demo", ALICE, passkeys().of("demo", ALICE).getFirst().id())).as("a weak one").isTrue();
  }

  @Test
  void aPersonHasOneHandle() throws Exception {
    assertThat(Race.of(12, i -> () -> passkeys().userHandle("demo", ALICE, "h" + i)).stream().distinct()).hasSize(1);
    assertThat(passkeys().userHandle("demo", BOB, "b")).isEqualTo("b");
    assertThat(passkeys().userHandle("demo", BOB, "c")).isEqualTo("b");
    assertThat(passkeys().userHandle("other", BOB, "d")).isEqualTo("d");
  }

  @Test
  void anAnswerToTheOfferIsKeptUntilThePersonIsErased() {
    assertThat(passkeys().isOfferAnswered("demo", ALICE)).isFalse();
    passkeys().answerOffer("demo", ALICE, AT);
    passkeys().answerOffer("demo", ALICE, AT.plusSeconds(1));
    assertThat(passkeys().isOfferAnswered("demo", ALICE)).isTrue();
    assertThat(passkeys().isOfferAnswered("demo", BOB)).isFalse();
    assertThat(passkeys().isOfferAnswered("other", ALICE)).isFalse();
    passkeys().erase("demo", ALICE);
    assertThat(passkeys().isOfferAnswered("demo", ALICE)).isFalse();
  }

  @Test
  void anAdditionIsToldToASessionThatDidNotMakeIt() {
    passkeys().userHandle("demo", ALICE, "handle");
    passkeys().add("demo", passkey("a", 0), "thief", 5);
    passkeys().add("demo", passkey("b", 0), "thief", 5);
    List<Addition> both = passkeys().untold("demo", ALICE);
    assertThat(both).extracting(Addition::session, Addition::at).containsExactly(tuple("thief", AT), tuple("thief", AT));
    assertThat(passkeys().untold("demo", BOB)).isEmpty();
    assertThat(passkeys().untold("other", ALICE)).isEmpty();
    passkeys().remove("demo", ALICE, "a");
    passkeys().told("demo", ALICE, "thief", both.getLast().number());
    passkeys().told("demo", BOB, "s2", both.getLast().number());
    assertThat(passkeys().untold("demo", ALICE)).as("removed, and put away by the one who added it").isEqualTo(both);
    passkeys().told("demo", ALICE, "s2", both.getFirst().number());
    assertThat(passkeys().untold("demo", ALICE)).as("what was not shown").containsExactly(both.getLast());
    passkeys().told("demo", ALICE, "s2", both.getLast().number());
    assertThat(passkeys().untold("demo", ALICE)).isEmpty();
    passkeys().add("demo", passkey("c", 0), "s1", 5);
    passkeys().erase("demo", ALICE);
    assertThat(passkeys().untold("demo", ALICE)).isEmpty();
  }

  @Test
  void nothingIsAddedWhileTooMuchWaitsToBeTold() {
    for (int i = 0; i < Passkeys.MAX_UNTOLD; i++) {
      assertThat(passkeys().add("demo", passkey("p" + i, 0), "thief", 5)).isTrue();
      passkeys().remove("demo", ALICE, "p" + i);
    }
    assertThat(passkeys().add("demo", passkey("more", 0), "thief", 5)).isFalse();
    passkeys().told("demo", ALICE, "s2", passkeys().untold("demo", ALICE).getLast().number());
    assertThat(passkeys().add("demo", passkey("more", 0), "thief", 5)).isTrue();
  }

  @Test
  void onlyTheOwnerChangesAndRemoves() {
    passkeys().add("demo", passkey("a", 3), "s1", 5);
    assertThat(passkeys().setLevel("demo", BOB, "a", "PASSKEY")).isFalse();
    assertThat(passkeys().remove("demo", BOB, "a")).isFalse();
    assertThat(passkeys().setLevel("demo", ALICE, "a", "PASSKEY")).isTrue();
    assertThat(passkeys().find("demo", "a").orElseThrow().level()).isEqualTo("PASSKEY");
    assertThat(passkeys().remove("demo", ALICE, "a")).isTrue();
    passkeys().add("demo", passkey("b", 0), "s1", 5);
    passkeys().userHandle("demo", ALICE, "h");
    passkeys().erase("demo", ALICE);
    assertThat(passkeys().of("demo", ALICE)).isEmpty();
    assertThat(passkeys().userHandle("demo", ALICE, "new")).isEqualTo("new");
  }
}
