package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link SessionStore}. */
abstract class SessionStoreContract {

  private static final PersonId ALICE = new PersonId("alice-uuid");

  final TestTime time = new TestTime();
  private final Random random = new Random(7);

  /** Returns an empty store; the same one during a test. */
  abstract SessionStore<PlainSession> store();

  PlainSession session() {
    Instant now = time.instant();
    return new PlainSession(
        SessionToken.create(random).id(), "demo", ALICE, now, now.plusSeconds(600), Set.of("a", "b"), 0);
  }

  PlainSession created() {
    PlainSession session = session();
    store().create(session);
    return session;
  }

  @Test
  void findsWhatWasCreated() {
    PlainSession session = created();
    assertThat(store().find(session.id())).contains(session);
    assertThat(store().find(session().id())).isEmpty();
    assertThat(store().count()).isEqualTo(1);
  }

  /** Every read that begins after a change was acknowledged sees the change, whoever else reads at the time. */
  @Test
  void readersNeverSeeWhatIsOver() throws Exception {
    for (int round = 0; round < 200; round++) {
      PlainSession session = created();
      Race.of(
          4,
          i -> () -> {
            switch (i) {
              case 0 -> {
                PlainSession touched = store().update(session.id(), PlainSession::touched).orElseThrow();
                assertThat(store().find(session.id())).contains(touched);
                assertThat(store().end(session.id())).isPresent();
                assertThat(store().find(session.id())).isEmpty();
              }
              default -> {
                boolean over = false;
                for (int read = 0; read < 20; read++) {
                  boolean found = store().find(session.id()).isPresent();
                  assertThat(over && found).as("found again").isFalse();
                  over = !found;
                }
              }
            }
            return i;
          });
      assertThat(store().find(session.id())).isEmpty();
    }
  }

  @Test
  void whatWasReadExpiresLikeTheRest() {
    PlainSession session = created();
    assertThat(store().find(session.id())).contains(session);
    time.advance(Duration.between(time.instant(), session.expiresAt()));
    assertThat(store().find(session.id())).isEmpty();
  }

  @Test
  void refusesAnIdTwice() {
    PlainSession session = created();
    assertThatIllegalStateException().isThrownBy(() -> store().create(session.touched()));
    assertThat(store().find(session.id())).contains(session);
    assertThat(store().count()).isEqualTo(1);
  }

  @Test
  void findsByPersonInTheirRealmOnly() {
    PlainSession one = created();
    PlainSession two = created();
    PlainSession bobs = session().of("bob-uuid");
    PlainSession elsewhere = session().in("demo2");
    store().create(bobs);
    store().create(elsewhere);
    assertThat(store().byPerson("demo", ALICE)).containsExactlyInAnyOrder(one, two);
    assertThat(store().byPerson("demo", new PersonId("bob-uuid"))).containsExactly(bobs);
    assertThat(store().byPerson("demo2", ALICE)).containsExactly(elsewhere);
    assertThat(store().byPerson("demo", new PersonId("alice-uui"))).isEmpty();
    assertThat(store().byPerson("dem", ALICE)).isEmpty();
  }

  @Test
  void findsByEachIndexKey() {
    PlainSession one = session().indexed("https://sp|x|1", "https://sp|x");
    PlainSession two = session().indexed("https://sp|x|2", "https://sp|x");
    store().create(one);
    store().create(two);
    assertThat(store().byIndex("https://sp|x")).containsExactlyInAnyOrder(one, two);
    assertThat(store().byIndex("https://sp|x|1")).containsExactly(one);
    assertThat(store().byIndex("https://sp|")).isEmpty();
    assertThat(store().byIndex("")).isEmpty();
  }

  @Test
  void keepsOddIndexKeysApart() {
    List<String> keys = List.of("", "a", "a\0", "a\0b", "\uffff", "ä", "😀", "a".repeat(3000), "a".repeat(3001));
    List<PlainSession> sessions = new ArrayList<>();
    for (String key : keys) {
      PlainSession session = session().indexed(key);
      store().create(session);
      sessions.add(session);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(store().byIndex(keys.get(i))).containsExactly(sessions.get(i));
    }
  }

  @Test
  void reindexesOnUpdate() {
    PlainSession session = created();
    PlainSession changed = session.indexed("b", "c").of("bob-uuid");
    assertThat(store().update(session.id(), old -> changed)).contains(changed);
    assertThat(store().find(session.id())).contains(changed);
    assertThat(store().byIndex("a")).isEmpty();
    assertThat(store().byIndex("b")).containsExactly(changed);
    assertThat(store().byIndex("c")).containsExactly(changed);
    assertThat(store().byPerson("demo", ALICE)).isEmpty();
    assertThat(store().byPerson("demo", new PersonId("bob-uuid"))).containsExactly(changed);
    assertThat(store().count()).isEqualTo(1);
  }

  @Test
  void neverBringsBackWhatEnded() {
    PlainSession session = created();
    assertThat(store().end(session.id())).contains(session);
    assertThat(store().update(session.id(), PlainSession::touched)).isEmpty();
    assertThat(store().find(session.id())).isEmpty();
    assertThat(store().end(session.id())).isEmpty();
    assertThat(store().byPerson("demo", ALICE)).isEmpty();
    assertThat(store().byIndex("a")).isEmpty();
    assertThat(store().page("demo", "", 10)).isEmpty();
    assertThat(store().count()).isZero();
  }

  @Test
  void doesNotLetAChangeMakeAnotherSession() {
    PlainSession session = created();
    assertThatIllegalArgumentException().isThrownBy(() -> store().update(session.id(), old -> session()));
    assertThatIllegalArgumentException().isThrownBy(() -> store().update(session.id(), old -> old.in("demo2")));
    assertThat(store().find(session.id())).contains(session);
  }

  @Test
  void keepsTheSessionWhereTheChangeFails() {
    PlainSession session = created();
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                store()
                    .update(
                        session.id(),
                        old -> {
                          throw new IllegalStateException("no");
                        }));
    assertThat(store().find(session.id())).contains(session);
    assertThat(store().byIndex("a")).containsExactly(session);
  }

  @Test
  void neverReturnsWhatExpired() {
    PlainSession session = created();
    time.advance(Duration.ofSeconds(600).minusMillis(1));
    assertThat(store().find(session.id())).contains(session);
    time.advance(Duration.ofMillis(1));
    assertThat(store().find(session.id())).isEmpty();
    assertThat(store().byPerson("demo", ALICE)).isEmpty();
    assertThat(store().byIndex("a")).isEmpty();
    assertThat(store().page("demo", "", 10)).isEmpty();
    assertThat(store().update(session.id(), old -> old.until(time.instant().plusSeconds(60)))).isEmpty();
    assertThat(store().end(session.id())).isEmpty();
  }

  @Test
  void livesLongerWhenTouched() {
    PlainSession session = created();
    time.advance(Duration.ofSeconds(500));
    store().update(session.id(), old -> old.until(time.instant().plusSeconds(600)));
    time.advance(Duration.ofSeconds(500));
    created();
    assertThat(store().find(session.id())).isPresent();
    assertThat(store().count()).isEqualTo(2);
  }

  @Test
  void pagesThroughARealmInTheOrderOfIds() {
    List<PlainSession> created = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      created.add(created());
      store().create(session().in("other"));
    }
    List<String> expected = created.stream().map(session -> session.id().value()).sorted().toList();
    List<String> paged = new ArrayList<>();
    String after = "";
    List<PlainSession> page = store().page("demo", after, 10);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(10);
      page.forEach(session -> paged.add(session.id().value()));
      after = paged.getLast();
      page = store().page("demo", after, 10);
    }
    assertThat(paged).isEqualTo(expected);
    assertThat(store().page("demo", "", 0)).isEmpty();
  }

  @Test
  void endsForExactlyOneOfMany() throws Exception {
    for (int round = 0; round < 20; round++) {
      SessionId id = created().id();
      List<Optional<PlainSession>> ends = Race.of(64, i -> () -> store().end(id));
      assertThat(ends).filteredOn(Optional::isPresent).hasSize(1);
    }
    assertThat(store().count()).isZero();
  }

  @Test
  void losesNoneOfManyUpdates() throws Exception {
    SessionId id = created().id();
    Race.of(200, i -> () -> store().update(id, PlainSession::touched));
    assertThat(store().find(id)).map(PlainSession::touches).contains(200);
  }

  @Test
  void staysEndedWhileOthersUpdate() throws Exception {
    for (int round = 0; round < 20; round++) {
      SessionId id = created().id();
      Race.of(
          32,
          i -> () -> i == 16 ? store().end(id) : store().update(id, old -> old.touched().indexed("a", "key" + i)));
      assertThat(store().find(id)).isEmpty();
      assertThat(store().byIndex("a")).isEmpty();
      assertThat(store().byPerson("demo", ALICE)).isEmpty();
      assertThat(store().count()).isZero();
    }
  }

  @Test
  void createsForExactlyOneOfMany() throws Exception {
    PlainSession session = session();
    List<Boolean> created =
        Race.of(
            32,
            i -> () -> {
              try {
                store().create(session);
                return true;
              } catch (IllegalStateException refused) {
                return false;
              }
            });
    assertThat(created).filteredOn(won -> won).hasSize(1);
    assertThat(store().count()).isEqualTo(1);
  }
}
