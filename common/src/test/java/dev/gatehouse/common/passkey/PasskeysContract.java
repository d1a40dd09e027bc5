package dev.gatehouse.common.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys.Addition;
import dev.gatehouse.common.passkey.Passkeys.Model;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.passkey.Passkeys.State;
import dev.gatehouse.common.passkey.Passkeys.Telling;
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

  private void tell(PersonId person, String session, String browser, long upTo, Instant at) {
    passkeys().told("demo", person, new Telling(session, browser, upTo, at));
  }

  private List<Addition> untold() {
    return passkeys().additions("demo", ALICE).stream().filter(addition -> !addition.isTold()).toList();
  }

  @Test
  void anAdditionIsToldToASessionThatDidNotMakeIt() {
    passkeys().userHandle("demo", ALICE, "handle");
    passkeys().add("demo", passkey("a", 0), "thief", 5);
    passkeys().add("demo", passkey("b", 0), "thief", 5);
    List<Addition> both = untold();
    assertThat(both).extracting(Addition::session, Addition::at).containsExactly(tuple("thief", AT), tuple("thief", AT));
    assertThat(passkeys().additions("demo", BOB)).isEmpty();
    assertThat(passkeys().additions("other", ALICE)).isEmpty();
    passkeys().remove("demo", ALICE, "a");
    tell(ALICE, "thief", "b1", both.getLast().number(), AT);
    tell(BOB, "s2", "b1", both.getLast().number(), AT);
    assertThat(untold()).as("removed, and put away by the one who added it").isEqualTo(both);
    tell(ALICE, "s2", "b2", both.getFirst().number(), AT);
    assertThat(untold()).as("what was not shown").containsExactly(both.getLast());
    tell(ALICE, "s2", "b2", both.getLast().number(), AT);
    assertThat(untold()).isEmpty();
    passkeys().add("demo", passkey("c", 0), "s1", 5);
    passkeys().erase("demo", ALICE);
    assertThat(passkeys().additions("demo", ALICE)).isEmpty();
  }

  @Test
  void whatWasToldInOneBrowserIsLeftForOthersAsLongAsTheyAreKnown() {
    passkeys().add("demo", passkey("a", 0), "s1", 5);
    long number = untold().getFirst().number();
    tell(ALICE, "s2", "phone", number, AT);
    tell(ALICE, "s2", "phone", number, AT.plusSeconds(1));
    tell(ALICE, "s3", Passkeys.UNKNOWN_BROWSER, number, AT.plusSeconds(2));
    assertThat(passkeys().additions("demo", ALICE)).singleElement().extracting(Addition::toldIn).isEqualTo(List.of("phone", "-"));
    for (int i = 0; i < 60; i++) {
      tell(ALICE, "s4", "%016x".formatted(i), number, AT);
    }
    assertThat(passkeys().additions("demo", ALICE).getFirst().toldIn()).as("the latest").contains("%016x".formatted(59)).doesNotContain("phone");
    passkeys().add("demo", passkey("b", 0), "s1", 5);
    Instant later = AT.plus(Passkeys.TOLD_FOR).plusSeconds(1);
    tell(ALICE, "s5", "phone", number, later);
    assertThat(passkeys().additions("demo", ALICE)).as("nobody was told of that one").extracting(Addition::isTold).containsExactly(false);
  }

  @Test
  void nothingIsAddedWhileTooMuchWaitsToBeTold() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < Passkeys.MAX_UNTOLD; i++) {
        assertThat(passkeys().add("demo", passkey("p" + i, 0), "thief", 5)).isTrue();
        passkeys().remove("demo", ALICE, "p" + i);
      }
      assertThat(passkeys().add("demo", passkey("more", 0), "thief", 5)).isFalse();
      tell(ALICE, "s2", "b", untold().getLast().number(), AT);
      assertThat(passkeys().additions("demo", ALICE)).as("the latest ones").hasSize(Passkeys.MAX_UNTOLD);
    }
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
