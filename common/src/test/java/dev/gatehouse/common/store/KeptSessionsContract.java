package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of a store of {@link Expired#KEPT} sessions: that of all stores, and expired sessions. */
abstract class KeptSessionsContract extends SessionStoreContract {

  @Test
  void keepsWhatExpiredUntilItIsTakenOut() {
    PlainSession session = created();
    assertThat(store().expired(10)).isEmpty();
    assertThat(store().endExpired(session.id())).as("it lives").isEmpty();
    time.advance(Duration.ofSeconds(600));
    assertThat(store().end(session.id())).as("it has ended already").isEmpty();
    assertThat(store().expired(10)).containsExactly(session);
    assertThat(store().expired(10)).as("nobody took it out").containsExactly(session);
    assertThat(store().endExpired(session.id())).contains(session);
    assertThat(store().endExpired(session.id())).isEmpty();
    assertThat(store().expired(10)).isEmpty();
    assertThat(store().count()).isZero();
    assertThat(store().find(session.id())).isEmpty();
  }

  @Test
  void goesOnWithThoseThatExpireNext() {
    List<PlainSession> created = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      PlainSession session = session().until(time.instant().plusMillis(i + 1));
      store().create(session);
      created.add(session);
    }
    time.advance(Duration.ofSeconds(1));
    List<PlainSession> taken = new ArrayList<>();
    for (List<PlainSession> batch = store().expired(100); !batch.isEmpty(); batch = store().expired(100)) {
      assertThat(batch).hasSizeLessThanOrEqualTo(100);
      batch.forEach(session -> store().endExpired(session.id()).ifPresent(taken::add));
    }
    assertThat(taken).containsExactlyElementsOf(created);
  }

  @Test
  void oneThatStaysHoldsNobodyUp() {
    PlainSession stays = created();
    time.advance(Duration.ofSeconds(600));
    assertThat(store().expired(10)).containsExactly(stays);
    PlainSession next = created();
    time.advance(Duration.ofSeconds(600));
    assertThat(store().expired(10)).containsExactly(stays, next);
    store().endExpired(next.id());
    assertThat(store().expired(10)).containsExactly(stays);
  }

  @Test
  void doesNotTakeForExpiredWhatWasTouched() {
    PlainSession session = created();
    time.advance(Duration.ofSeconds(500));
    store().update(session.id(), old -> old.until(time.instant().plusSeconds(600)));
    time.advance(Duration.ofSeconds(500));
    assertThat(store().expired(10)).isEmpty();
    assertThat(store().find(session.id())).isPresent();
    time.advance(Duration.ofSeconds(100));
    assertThat(store().expired(10)).extracting(PlainSession::id).containsExactly(session.id());
  }

  @Test
  void doesNotTakeForExpiredWhatEnded() {
    PlainSession session = created();
    store().end(session.id());
    time.advance(Duration.ofSeconds(600));
    assertThat(store().expired(10)).isEmpty();
    assertThat(store().endExpired(session.id())).isEmpty();
  }

  @Test
  void takesOutForExactlyOneOfMany() throws Exception {
    SessionId id = created().id();
    time.advance(Duration.ofSeconds(600));
    List<Optional<PlainSession>> taken = Race.of(64, i -> () -> store().endExpired(id));
    assertThat(taken).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(store().count()).isZero();
  }
}
