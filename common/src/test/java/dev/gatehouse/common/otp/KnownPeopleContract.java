package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPeople.Returned;
import dev.gatehouse.common.otp.KnownPerson.Status;
import dev.gatehouse.common.otp.PeopleRun.Numbers;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.common.db.SecondFactors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@link KnownPeople} does, with every database. */
public abstract class KnownPeopleContract {

  private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");
  private static final PersonId ALICE = new PersonId("alice-1");
  private static final PersonId BOB = new PersonId("bob-1");

  private final String realm = "r-" + UUID.randomUUID();

  protected abstract Database database();

  private KnownPeople known() {
    return new KnownPeople(database());
  }

  private Tokens tokens() {
    return new JdbcTokens(database());
  }

  private static KnownPerson person(PersonId id, String name) {
    return new KnownPerson(
        id, name, "Ünlü " + name, name + "@example.org", "uid=" + name + ",ou=people", List.of("a group", "staff"), Status.ACTIVE, NOW, Optional.empty());
  }

  private void give(String serial, PersonId person) {
    tokens().add(realm, List.of(Token.created(serial, TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    assertThat(tokens().assign(realm, serial, person)).isTrue();
  }

  @Test
  void peopleAreAddedChangedAndFound() {
    known().write(realm, List.of(person(ALICE, "alice"), person(BOB, "Bob_1")), List.of());
    assertThat(known().all(realm)).hasSize(2).containsEntry(ALICE, person(ALICE, "alice"));
    KnownPerson renamed = person(ALICE, "alicia");
    known().write(realm, List.of(), List.of(renamed));
    assertThat(known().find(realm, ALICE)).contains(renamed);
    assertThat(known().list(realm, "BOB_", Optional.empty(), "", 10)).extracting(KnownPerson::id).containsExactly(BOB);
    // The name is text: it has no wildcards.
    assertThat(known().list(realm, "%", Optional.empty(), "", 10)).isEmpty();
    assertThat(known().list(realm, "bob!", Optional.empty(), "", 10)).isEmpty();
    assertThat(known().list(realm, "", Optional.of(Status.GONE), "", 10)).isEmpty();
    assertThat(known().list(realm, "", Optional.empty(), ALICE.value(), 10)).extracting(KnownPerson::id).containsExactly(BOB);
    assertThat(known().all("another")).isEmpty();
    assertThat(known().find("another", ALICE)).isEmpty();
    assertThat(known().erase(realm, ALICE)).isTrue();
    assertThat(known().erase(realm, ALICE)).isFalse();
  }

  @Test
  void whoeverLeavesGivesEverythingBackAndGetsNoTokenUntilTheyReturn() {
    known().write(realm, List.of(person(ALICE, "alice")), List.of());
    give("t-1", ALICE);
    give("t-2", ALICE);
    tokens().change(realm, "t-2", Token.State.LOST);
    tokens().keepPins(realm, ALICE, Optional.of(new byte[] {1}), false);
    give("t-3", BOB);
    give("app-2345abcd", ALICE);
    known().begin(realm, "ops", NOW);
    assertThat(known().tokens(realm)).containsEntry(ALICE, 3L).containsEntry(BOB, 1L);
    List<Returned> all = List.of(new Returned("app-2345abcd", true), new Returned("t-1", false), new Returned("t-2", false));
    assertThatThrownBy(() -> known().leave(realm, ALICE, NOW, told -> {
          assertThat(told).isEqualTo(all);
          throw new IllegalStateException("the audit log is full");
        })).hasMessageContaining("full");
    assertThat(tokens().of(realm, ALICE)).hasSize(3);
    assertThat(known().leave(realm, ALICE, NOW, told -> {})).isEqualTo(all);
    assertThat(known().leave(realm, ALICE, NOW.plusSeconds(5), told -> {})).isEmpty();
    // Its seed is still in a phone.
    assertThat(tokens().find(realm, "app-2345abcd")).isEmpty();
    assertThat(known().find(realm, ALICE).orElseThrow().goneAt()).contains(NOW);
    assertThat(tokens().of(realm, ALICE)).isEmpty();
    assertThat(tokens().find(realm, "t-1").orElseThrow().state()).isEqualTo(Token.State.DISABLED);
    assertThat(tokens().find(realm, "t-2").orElseThrow().state()).isEqualTo(Token.State.LOST);
    assertThat(tokens().holder(realm, ALICE).sealedPins()).isEmpty();
    assertThat(tokens().of(realm, BOB)).hasSize(1);
    assertThat(known().goneSince(realm, NOW.minusSeconds(1))).isEqualTo(1);
    assertThat(known().goneSince(realm, NOW)).isZero();
    assertThat(tokens().assign(realm, "t-1", ALICE)).isFalse();
    assertThat(new TokenRegister(database()).isGone(realm, ALICE)).isTrue();
    known().write(realm, List.of(), List.of(person(ALICE, "alice")));
    assertThat(known().find(realm, ALICE).orElseThrow().goneAt()).isEmpty();
    assertThat(tokens().assign(realm, "t-1", ALICE)).isTrue();
    assertThat(known().goneSince(realm, NOW.minusSeconds(1))).as("those who returned had left").isEqualTo(1);
    for (int i = 0; i < KnownPeople.MOST_RUNS + 5; i++) {
      known().begin(realm, "ops", NOW);
    }
    assertThat(known().goneSince(realm, NOW.minusSeconds(1))).as("runs in which somebody left are kept").isEqualTo(1);
    known().begin(realm, "ops", NOW.plus(Duration.ofDays(3)));
    assertThat(known().runs(realm, 1000)).hasSize(KnownPeople.MOST_RUNS);
  }

  /** Its seed stays in the phone, so that it must not become anybody else's. */
  @Test
  void aTokenThatItsPersonSetUpIsDeletedWhenItIsTakenBack() {
    give("app-bcdefgh2", BOB);
    give("t-4", BOB);
    assertThat(tokens().unassign(realm, "app-bcdefgh2", ALICE)).isFalse();
    assertThat(tokens().unassign(realm, "app-bcdefgh2", BOB)).isTrue();
    assertThat(tokens().find(realm, "app-bcdefgh2")).isEmpty();
    assertThat(tokens().unassign(realm, "t-4", BOB)).isTrue();
    assertThat(tokens().find(realm, "t-4")).isPresent();
  }

  /** Apps are no tokens that are handed out: the second step of a login needs them, and the directory says who may log in. */
  @Test
  void whoeverLeavesKeepsAppsAndWhatIsCountedForThem() {
    known().write(realm, List.of(person(ALICE, "alice")), List.of());
    JdbcSecondFactors apps = new JdbcSecondFactors(database());
    assertThat(apps.add(realm, ALICE, new SecondFactors.Factor("f-" + realm, "phone", 6, new byte[] {1}, NOW, Optional.empty()), 5)).isTrue();
    apps.keepRecoveryCodes(realm, ALICE, Set.of("digest"));
    give("t-" + realm, ALICE);
    tokens().keepPins(realm, ALICE, Optional.of(new byte[] {1}), false);
    tokens().countWrong(realm, ALICE, 10, Optional.empty());
    assertThat(known().tokens(realm)).containsEntry(ALICE, 1L);
    assertThat(known().leave(realm, ALICE, NOW, told -> {})).extracting(Returned::serial).containsExactly("t-" + realm);
    assertThat(tokens().of(realm, ALICE)).extracting(token -> token.type().kind()).containsExactly(TokenType.Kind.APP);
    assertThat(apps.recoveryCodesLeft(realm, ALICE)).isEqualTo(1);
    assertThat(tokens().holder(realm, ALICE).wrong()).isEqualTo(1);
    assertThat(tokens().holder(realm, ALICE).sealedPins()).isEmpty();
    assertThat(new TokenRegister(database()).counts(realm, NOW, NOW, 10).withoutPin()).isZero();
  }

  @Test
  void whoeverLeavesWhileATokenIsAssignedHasNone() throws Exception {
    for (int round = 0; round < 10; round++) {
      PersonId person = new PersonId("racer-" + round);
      known().write(realm, List.of(person(person, "racer" + round)), List.of());
      List<String> serials = IntStream.range(0, 4).mapToObj(i -> "r-" + person.value() + "-" + i).toList();
      serials.forEach(
          serial -> tokens().add(realm, List.of(Token.created(serial, TokenType.USUAL, new byte[] {1}, -1, Optional.empty()))));
      Race.<Boolean>of(
          5,
          i ->
              () ->
                  i == 2
                      ? known().leave(realm, person, NOW, told -> {}).isEmpty()
                      : tokens().assign(realm, serials.get(i > 2 ? i - 1 : i), person));
      assertThat(tokens().of(realm, person)).as("round %s", round).isEmpty();
    }
  }

  @Test
  void runsAreNumberedAndOneThatWasLeftIsInterrupted() {
    long first = known().begin(realm, "ops", NOW);
    long second = known().begin(realm, "schedule", NOW.plusSeconds(60));
    assertThat(second).isEqualTo(first + 1);
    PeopleRun done =
        new PeopleRun(
            second, "schedule", NOW.plusSeconds(60), Optional.of(NOW.plusSeconds(61)), PeopleRun.State.DONE, new Numbers(9, 1, 2, 3, 4, 5, 6, 7),
            Optional.of("why"), List.of("NAME_TWICE bob", "NO_ID x"));
    known().note(realm, done);
    assertThat(known().runs(realm, 10)).hasSize(2).startsWith(done);
    assertThat(known().runs(realm, 10).getLast().state()).isEqualTo(PeopleRun.State.INTERRUPTED);
    // Whoever was overtaken notes nothing any more.
    known().note(realm, new PeopleRun(first, "ops", NOW, Optional.of(NOW), PeopleRun.State.DONE, Numbers.NONE, Optional.empty(), List.of()));
    assertThat(known().runs(realm, 10).getLast().state()).isEqualTo(PeopleRun.State.INTERRUPTED);
    for (int i = 0; i < KnownPeople.MOST_RUNS; i++) {
      known().begin(realm, "ops", NOW);
    }
    assertThat(known().runs(realm, 1000)).as("and the one in which people left").hasSize(KnownPeople.MOST_RUNS + 1);
  }
}
