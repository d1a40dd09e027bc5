package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of durable stores about closing and reopening. */
abstract class DurableStoresContract {

  final TestTime time = new TestTime();

  /** Opens the stores with the same data each time; closes those of an earlier call. */
  abstract Stores open();

  @Test
  void keepsSessionsWithTheirIndexes() {
    Instant now = time.instant();
    PersonId alice = new PersonId("alice-uuid");
    SessionStore<PlainSession> before = open().sessions("app", PlainSession.CODEC);
    PlainSession session =
        new PlainSession(
            SessionToken.create(new Random(1)).id(), "demo", alice, now, now.plusSeconds(600), Set.of("a"), 0);
    PlainSession ended =
        new PlainSession(
            SessionToken.create(new Random(2)).id(), "demo", alice, now, now.plusSeconds(600), Set.of("a"), 0);
    before.create(session);
    before.create(ended);
    before.update(session.id(), old -> old.touched().indexed("b"));
    before.end(ended.id());

    SessionStore<PlainSession> after = open().sessions("app", PlainSession.CODEC);
    PlainSession expected = session.touched().indexed("b");
    assertThat(after.find(session.id())).contains(expected);
    assertThat(after.find(ended.id())).isEmpty();
    assertThat(after.byPerson("demo", alice)).containsExactly(expected);
    assertThat(after.byIndex("a")).isEmpty();
    assertThat(after.byIndex("b")).containsExactly(expected);
    assertThat(after.page("demo", "", 10)).containsExactly(expected);
    assertThat(after.count()).isEqualTo(1);
    time.advance(Duration.ofSeconds(600));
    assertThat(after.find(session.id())).isEmpty();
  }

  @Test
  void keepsWhatExpiredUntilItIsTakenOut() {
    Instant now = time.instant();
    SessionStore<PlainSession> before = open().sessions("app", PlainSession.CODEC, Expired.KEPT);
    PersonId alice = new PersonId("alice-uuid");
    PlainSession session =
        new PlainSession(
            SessionToken.create(new Random(1)).id(), "demo", alice, now, now.plusSeconds(600), Set.of("a"), 0);
    before.create(session);
    time.advance(Duration.ofSeconds(600));
    assertThat(before.expired(10)).containsExactly(session);

    SessionStore<PlainSession> after = open().sessions("app", PlainSession.CODEC, Expired.KEPT);
    assertThat(after.expired(10)).containsExactly(session);
    assertThat(after.endExpired(session.id())).contains(session);
    assertThat(open().sessions("app", PlainSession.CODEC, Expired.KEPT).expired(10)).isEmpty();
  }

  @Test
  void keepsWork() {
    Instant due = time.instant().plusSeconds(60);
    DueStore<String> before = open().due("work", new TextCodec());
    before.add(new DueStore.Work<>("a", "demo", "value", due));
    before.add(new DueStore.Work<>("done", "demo", "value", due));
    before.remove("done");

    DueStore<String> after = open().due("work", new TextCodec());
    assertThat(after.count()).isEqualTo(1);
    assertThat(after.page("demo", "", 10)).containsExactly(new DueStore.Work<>("a", "demo", "value", due));
    time.advance(Duration.ofSeconds(60));
    assertThat(after.claim(10, Duration.ofSeconds(1))).extracting(DueStore.Work::key).containsExactly("a");
  }

  @Test
  void keepsValuesAndTombstones() {
    Instant later = time.instant().plusSeconds(60);
    SingleUseStore<String> before = open().singleUse("codes", new TextCodec());
    before.put("taken", "value", later);
    before.put("held", "value", later);
    before.take("taken");

    SingleUseStore<String> after = open().singleUse("codes", new TextCodec());
    assertThat(after.take("taken")).isEqualTo(new TakeResult.Replayed<>(time.instant()));
    assertThat(after.peek("held")).contains("value");
    assertThat(after.take("held")).isEqualTo(new TakeResult.First<>("value"));
  }

  @Test
  void keepsReplayMarksAndSinceWhenTheyAreComplete() {
    ReplayKey key = new ReplayKey("demo", "https://idp.example", "_1");
    ReplayCache before = open().replayCache();
    Instant completeSince = before.completeSince();
    assertThat(before.firstSeen(key, time.instant().plusSeconds(60))).isTrue();
    time.advance(Duration.ofSeconds(30));
    ReplayCache after = open().replayCache();
    assertThat(after.firstSeen(key, time.instant().plusSeconds(60))).isFalse();
    assertThat(after.completeSince()).isEqualTo(completeSince);
  }

  @Test
  void keepsKeySpacesApart() {
    Instant later = time.instant().plusSeconds(60);
    Stores stores = open();
    SingleUseStore<String> one = stores.singleUse("one", new TextCodec());
    SingleUseStore<String> two = stores.singleUse("two", new TextCodec());
    one.put("key", "value", later);
    assertThat(two.take("key")).isEqualTo(new TakeResult.Absent<>());
    assertThat(one.take("key")).isEqualTo(new TakeResult.First<>("value"));
  }
}
