package dev.gatehouse.idp.otp.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.admin.PeopleDesk.EntryFault;
import dev.gatehouse.common.admin.PeopleDesk.Kind;
import dev.gatehouse.common.admin.PeopleDesk.Order;
import dev.gatehouse.common.admin.PeopleDesk.PeopleCounts;
import dev.gatehouse.common.admin.PeopleDesk.Reason;
import dev.gatehouse.common.admin.PeopleDesk.Remark;
import dev.gatehouse.common.admin.PeopleDesk.Stop;
import dev.gatehouse.common.admin.PeopleDesk.Synchronised;
import dev.gatehouse.common.audit.AuditEvent.PeopleSynchronised;
import dev.gatehouse.common.audit.AuditEvent.TokenChanged;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.PeopleSearch;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.KnownPerson.Status;
import dev.gatehouse.common.otp.PeopleRun;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import dev.gatehouse.common.result.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The register of people, and directories that change, lie, hang and are empty. */
final class PeopleSyncTest {

  private final PeopleWorld world = new PeopleWorld(new Limit(10, true), Optional.of(Duration.ofHours(1)));

  @AfterEach
  void close() {
    world.close();
  }

  private KnownPerson person(String id) {
    return world.known.find("demo", new PersonId(id)).orElseThrow();
  }

  private long present() {
    return world.known.all("demo").values().stream().filter(one -> one.status() != Status.GONE).count();
  }

  private PeopleRun lastRun() {
    return world.known.runs("demo", 1).getFirst();
  }

  @Test
  void newChangedMovedAndGonePeopleAreShownFirstAndThenWritten() {
    world.add(40);
    assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(40, 40, 0, 0, 0, 0, 0, 0));
    world.give("t-1", "id-3");
    world.give("t-2", "id-3");
    world.give("t-3", "id-4");
    // Changed, moved (a new name and DN, the same id), gone, new, disabled.
    Entry old = world.entries.get(1);
    world.entries.set(1, new Entry(old.dn(), old.id(), old.name(), Optional.of("Another"), old.mail(), List.of(), false));
    world.entries.set(2, PeopleWorld.entry("id-2", "married"));
    world.entries.remove(3);
    Entry disabled = world.entries.get(4);
    world.entries.set(4, new Entry(disabled.dn(), disabled.id(), disabled.name(), disabled.displayName(), disabled.mail(), List.of(), true));
    world.entries.add(PeopleWorld.entry("id-new", "new"));
    Synchronised preview = ((Result.Accepted<Synchronised, Stop>) world.run(true)).value();
    PeopleCounts planned = new PeopleCounts(40, 1, 3, 1, 0, 0, 0, 0);
    assertThat(preview.counts()).isEqualTo(planned);
    assertThat(preview.stop()).isEmpty();
    assertThat(preview.changes()).filteredOn(one -> one.kind() == Kind.MOVED).singleElement().extracting("detail").asString()
        .contains("uid=p2,", " → ", "uid=married,");
    assertThat(preview.changes()).filteredOn(one -> one.kind() == Kind.CHANGED).extracting("detail").containsExactlyInAnyOrder("displayName", "status", "missing");
    assertThat(present()).isEqualTo(40);
    assertThat(world.tokens.of("demo", new PersonId("id-3"))).hasSize(2);
    assertThat(world.synchronised().counts()).isEqualTo(planned);
    assertThat(person("id-2").name()).isEqualTo("married");
    // Once is not enough: a server may be behind.
    assertThat(person("id-3").status()).isEqualTo(Status.MISSING);
    assertThat(world.tokens.of("demo", new PersonId("id-3"))).hasSize(2);
    world.time.advance(Duration.ofMinutes(59));
    assertThat(world.synchronised().counts().gone()).isZero();
    world.time.advance(Duration.ofMinutes(1));
    Synchronised certain = ((Result.Accepted<Synchronised, Stop>) world.run(true)).value();
    assertThat(certain.counts()).isEqualTo(new PeopleCounts(40, 0, 0, 0, 0, 1, 0, 2));
    assertThat(certain.changes()).filteredOn(one -> one.kind() == Kind.GONE).singleElement().extracting("name").isEqualTo("p3");
    assertThat(world.synchronised().counts()).isEqualTo(certain.counts());
    assertThat(person("id-3").status()).isEqualTo(Status.GONE);
    assertThat(world.tokens.of("demo", new PersonId("id-3"))).isEmpty();
    assertThat(world.tokens.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.DISABLED);
    assertThat(world.tokens.of("demo", new PersonId("id-4"))).hasSize(1);
    assertThat(world.audit.events(TokenChanged.class)).extracting(TokenChanged::token).containsExactly("t-1", "t-2");
    assertThat(world.audit.events(PeopleSynchronised.class)).extracting(PeopleSynchronised::outcome)
        .containsExactly("BEGUN", "DONE", "BEGUN", "DONE", "BEGUN", "DONE", "BEGUN", "DONE");
    // Nothing is left to be done, and whoever returns is known.
    assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(40, 0, 0, 0, 0, 0, 0, 0));
    world.entries.add(PeopleWorld.entry("id-3", "p3"));
    assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(41, 0, 0, 0, 1, 0, 0, 0));
    assertThat(person("id-3").status()).isEqualTo(Status.ACTIVE);
    assertThat(lastRun().state()).isEqualTo(PeopleRun.State.DONE);
  }

  @Test
  void aDirectoryThatDoesNotTellEverybodyChangesNothing() {
    world.add(20);
    world.synchronised();
    world.give("t-1", "id-1");
    List<Entry> few = List.copyOf(world.entries.subList(0, 5));
    world.entries.clear();
    world.entries.addAll(few);
    world.entries.add(PeopleWorld.entry("id-new", "new"));
    world.answer = () -> new PeopleSearch.Outcome.Incomplete("The server ends the search after 5 people: size limit exceeded");
    assertThat(world.stopped()).isEqualTo(Reason.DIRECTORY_INCOMPLETE);
    world.answer =
        () -> {
          throw new DirectoryUnavailable("localhost:389: timeout");
        };
    assertThat(world.stopped()).isEqualTo(Reason.DIRECTORY_UNAVAILABLE);
    world.answer = () -> new PeopleSearch.Outcome.All(List.of());
    assertThat(world.stopped()).isEqualTo(Reason.DIRECTORY_EMPTY);
    // Not even if everybody may be disabled: an empty directory is no reason.
    assertThat(world.sync.run(new Order("demo", "ops", false, Optional.of("100%")), (done, total) -> {}))
        .isInstanceOfSatisfying(
            Result.Refused.class, refused -> assertThat(((Stop) refused.refusal()).reason()).isEqualTo(Reason.DIRECTORY_EMPTY));
    world.answer = () -> new PeopleSearch.Outcome.All(List.copyOf(world.entries));
    assertThat(world.stopped()).isEqualTo(Reason.TOO_MANY_GONE);
    assertThat(lastRun().problem().orElseThrow()).contains("15 people", "10%, which is 2", "Nothing was changed");
    assertThat(present()).isEqualTo(20);
    assertThat(world.known.find("demo", new PersonId("id-new"))).isEmpty();
    assertThat(world.tokens.of("demo", new PersonId("id-1"))).hasSize(1);
    Synchronised preview = ((Result.Accepted<Synchronised, Stop>) world.run(true)).value();
    assertThat(preview.stop().orElseThrow().reason()).isEqualTo(Reason.TOO_MANY_GONE);
    assertThat(world.audit.events(PeopleSynchronised.class)).extracting(PeopleSynchronised::outcome)
        .endsWith("DIRECTORY_INCOMPLETE", "DIRECTORY_UNAVAILABLE", "DIRECTORY_EMPTY", "DIRECTORY_EMPTY", "TOO_MANY_GONE");
  }

  @Test
  void theLimitCountsForADaySoThatADirectoryThatLosesPeopleBitByBitIsNoticed() {
    world.add(100);
    world.synchronised();
    List<Entry> eight = List.copyOf(world.entries.subList(0, 8));
    world.entries.removeAll(eight);
    assertThat(world.synchronisedForSure().counts().gone()).isEqualTo(8);
    // Whoever returns had lost their tokens nevertheless.
    world.entries.addAll(eight);
    assertThat(world.synchronised().counts().returned()).isEqualTo(8);
    world.entries.subList(0, 4).clear();
    assertThat(world.stopped()).isEqualTo(Reason.TOO_MANY_GONE);
    assertThat(lastRun().problem().orElseThrow()).contains("8 left within the last day");
    assertThat(world.sync.run(new Order("demo", "ops", false, Optional.of("12")), (done, total) -> {})).isInstanceOf(Result.Accepted.class);
    world.time.advance(Duration.ofHours(1));
    assertThat(world.stopped()).isEqualTo(Reason.TOO_MANY_GONE);
    world.time.advance(Duration.ofHours(25));
    assertThat(world.synchronised().counts().gone()).isEqualTo(4);
  }

  /** Otherwise whoever is on leave, or changes the department, would lose the token, and log in by password alone. */
  @Test
  void anEntryThatAFilterDoesNotMatchAnyMoreIsSuspendedAndKeepsItsTokens() {
    world.add(40);
    world.synchronised();
    world.give("t-1", "id-1");
    List<Entry> half = List.copyOf(world.entries.subList(0, 20));
    world.entries.removeAll(half);
    half.forEach(entry -> world.filteredOut.add(entry.id().orElseThrow()));
    assertThat(world.synchronisedForSure().counts()).isEqualTo(new PeopleCounts(20, 0, 0, 0, 0, 0, 0, 0));
    assertThat(person("id-1").status()).isEqualTo(Status.SUSPENDED);
    assertThat(world.tokens.of("demo", new PersonId("id-1"))).hasSize(1);
    world.entries.addAll(half);
    assertThat(world.synchronised().counts().changed()).isEqualTo(20);
    assertThat(person("id-1").status()).isEqualTo(Status.ACTIVE);
  }

  /** An entry that was moved between two pages may be in none of them. */
  @Test
  void whoeverASecondQuestionFindsIsNotGone() {
    world.add(30);
    world.synchronised();
    world.give("t-1", "id-5");
    world.entries.remove(5);
    world.foundAgain.add(new PersonId("id-5"));
    assertThat(world.synchronisedForSure().counts().gone()).isZero();
    assertThat(person("id-5").status()).isEqualTo(Status.ACTIVE);
    assertThat(world.tokens.of("demo", new PersonId("id-5"))).hasSize(1);
    world.foundAgain.clear();
    assertThat(world.synchronisedForSure().counts().gone()).isEqualTo(1);
  }

  @Test
  void entriesThatAreNotOnePersonWithOneNameAreLeftOutAndTheirPeopleStay() {
    world.add(20);
    world.synchronised();
    world.give("t-1", "id-1");
    world.give("t-2", "id-2");
    Entry first = world.entries.get(1);
    // Another entry with the name of id-1, in other letters; another one with the id of id-2; names that cannot be typed or shown.
    world.entries.add(PeopleWorld.entry("id-other", "P1"));
    world.entries.add(PeopleWorld.entry("id-third", "p1"));
    world.entries.add(new Entry("uid=second,ou=people", Optional.of(new PersonId("id-2")), Optional.of("second"), Optional.empty(), Optional.empty(), List.of(), false));
    world.entries.add(PeopleWorld.entry("id-control", "bad\u0007name\n"));
    world.entries.add(PeopleWorld.entry("id-bidi", "evil\u202Eeman"));
    world.entries.add(PeopleWorld.entry("id-long", "n".repeat(10_000)));
    world.entries.add(PeopleWorld.entry("i".repeat(300), "longid"));
    world.entries.add(new Entry("cn=x", Optional.empty(), Optional.of("noid"), Optional.empty(), Optional.empty(), List.of(), false));
    world.entries.add(new Entry("cn=y", Optional.of(new PersonId("id-y")), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), false));
    Entry wordy =
        new Entry(
            "cn=" + "w".repeat(5_000), Optional.of(new PersonId("id-wordy")), Optional.of("wordy"), Optional.of("d".repeat(10_000)),
            Optional.of("a\r\nBcc: everybody@example.org"), List.of("g".repeat(9_000)), false);
    world.entries.add(wordy);
    Synchronised done = world.synchronised();
    assertThat(done.counts().gone()).isZero();
    assertThat(done.counts().rejected()).isEqualTo(11);
    assertThat(done.remarks()).extracting(Remark::fault)
        .containsExactlyInAnyOrder(
            EntryFault.NAME_TWICE, EntryFault.NAME_TWICE, EntryFault.NAME_TWICE, EntryFault.ID_TWICE, EntryFault.ID_TWICE, EntryFault.NAME_UNUSABLE, EntryFault.NAME_UNUSABLE, EntryFault.NAME_UNUSABLE, EntryFault.ID_TOO_LONG,
            EntryFault.NO_ID, EntryFault.NO_NAME, EntryFault.VALUE_LEFT_OUT);
    assertThat(done.remarks()).allSatisfy(one -> assertThat((one.name() + one.place()).chars()).noneMatch(Character::isISOControl));
    assertThat(done.remarks()).allSatisfy(one -> assertThat(one.name().length() + one.place().length()).isLessThan(300));
    assertThat(person("id-1").place()).isEqualTo(first.dn());
    assertThat(world.known.find("demo", new PersonId("id-other"))).isEmpty();
    assertThat(world.tokens.of("demo", new PersonId("id-1"))).hasSize(1);
    assertThat(world.tokens.of("demo", new PersonId("id-2"))).hasSize(1);
    KnownPerson taken = person("id-wordy");
    assertThat(taken.displayName() + taken.mail() + taken.place() + taken.groups()).isEqualTo("[]");
    assertThat(lastRun().remarks()).hasSize(12);
  }

  @Test
  void aRunThatEndsInTheMiddleIsFinishedByTheNextOne() {
    world.add(1_800);
    Order order = new Order("demo", "ops", false, Optional.empty());
    assertThatThrownBy(
            () ->
                world.sync.run(
                    order,
                    (done, total) -> {
                      if (done >= 1_000 && total > 0) {
                        throw new CancellationException();
                      }
                    }))
        .isInstanceOf(CancellationException.class);
    assertThat(lastRun().state()).isEqualTo(PeopleRun.State.INTERRUPTED);
    assertThat(lastRun().numbers().added()).isEqualTo(1_000);
    assertThat(present()).isEqualTo(1_000);
    assertThat(world.synchronised().counts().added()).isEqualTo(800);
    assertThat(present()).isEqualTo(1_800);
  }

  @Test
  void aNodeThatHasLostItsTurnWritesNothingMore() {
    world.add(1_800);
    world.loseTheTurnAfter(3);
    assertThatThrownBy(() -> world.run(false)).isInstanceOf(PeopleChanges.TurnLost.class);
    assertThat(present()).isEqualTo(1_000);
    world.loseTheTurnAfter(0);
    assertThat(world.stopped()).isEqualTo(Reason.RUNNING);
    world.takeTheTurn();
    assertThat(world.synchronised().counts().added()).isEqualTo(800);
  }

  @Test
  void whatCannotBeAuditedIsNotDone() {
    world.add(30);
    world.synchronised();
    world.give("t-1", "id-1");
    world.entries.remove(1);
    world.synchronised();
    world.time.advance(Duration.ofHours(1));
    world.audit.breakDown(true);
    assertThatThrownBy(() -> world.run(false)).isInstanceOf(AuditUnavailable.class);
    assertThat(world.tokens.of("demo", new PersonId("id-1"))).hasSize(1);
    assertThat(person("id-1").status()).isEqualTo(Status.MISSING);
    world.audit.breakDown(false);
    assertThat(world.synchronised().counts().gone()).isEqualTo(1);
  }

  /** Another node may take the turn over before the run is begun: its run must not count as interrupted. */
  @Test
  void whoeverHasLostTheTurnBeginsNoRun() {
    world.loseTheTurnAfter(-1);
    assertThat(world.stopped()).isEqualTo(Reason.RUNNING);
    assertThat(world.known.runs("demo", 10)).isEmpty();
  }

  @Test
  void theScheduleLooksAgainWhenItIsDue() {
    world.add(20);
    world.schedule.look();
    assertThat(lastRun().by()).isEqualTo("schedule");
    world.schedule.look();
    assertThat(world.known.runs("demo", 10)).hasSize(1);
    world.time.advance(Duration.ofMinutes(61));
    world.answer =
        () -> {
          throw new DirectoryUnavailable("down");
        };
    world.schedule.look();
    assertThat(lastRun().state()).isEqualTo(PeopleRun.State.STOPPED);
    world.answer = () -> new PeopleSearch.Outcome.All(List.copyOf(world.entries));
    world.schedule.look();
    assertThat(world.known.runs("demo", 10)).hasSize(2);
    // A directory that was away is asked again before the hour is over; one whose node died at once.
    world.time.advance(Duration.ofMinutes(16));
    world.schedule.look();
    assertThat(lastRun().state()).isEqualTo(PeopleRun.State.DONE);
    world.known.begin("demo", "ops", world.time.instant());
    world.schedule.look();
    assertThat(world.known.runs("demo", 2)).extracting(PeopleRun::state).containsExactly(PeopleRun.State.DONE, PeopleRun.State.INTERRUPTED);
    assertThat(world.known.all("demo")).hasSize(20);
  }

  @Test
  void aFaultOfOneRealmDoesNotEndTheLookAtOthers() {
    world.answer =
        () -> {
          throw new IllegalStateException("the test's fault");
        };
    world.schedule.look();
    assertThat(lastRun().state()).isEqualTo(PeopleRun.State.FAILED);
  }

  @Test
  void anotherRealmIsLeftAlone() {
    world.add(10);
    world.synchronised();
    KnownPerson same = person("id-1");
    world.known.write("other", List.of(same), List.of());
    world.entries.remove(1);
    world.synchronised();
    assertThat(world.known.all("other")).isEqualTo(Map.of(new PersonId("id-1"), same));
    assertThat(world.sync.isOn("other")).isFalse();
    assertThat(world.sync.run(new Order("other", "ops", false, Optional.empty()), (done, total) -> {}))
        .isInstanceOfSatisfying(Result.Refused.class, refused -> assertThat(((Stop) refused.refusal()).reason()).isEqualTo(Reason.PEOPLE_OFF));
  }
}
