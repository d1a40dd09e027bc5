package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PlainSession;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.SingleUseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What nodes remove that has expired. */
class ValkeySweepTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));
  private static final ReplayKey USED = new ReplayKey("demo", "issuer", "used");
  private static final PlainText TEXT = new PlainText();

  @RegisterExtension static final SharedValkey VALKEY = new SharedValkey();

  /** It is not ready, but it sweeps: a mark or a revocation that went early would let in again what was used or revoked. */
  @Test
  void aNodeWhoseClockIsAnHourAheadRemovesNothingThatOthersNeed() {
    Instant now = Instant.ofEpochMilli(InstantSource.system().millis());
    Instant later = now.plus(Duration.ofMinutes(10));
    ValkeyStores right = VALKEY.stores("ahead", SEALING, InstantSource.system());
    SingleUseStore<String> revoked = right.singleUse("revoked", TEXT);
    SessionStore<PlainSession> sessions = right.sessions("app", PlainSession.CODEC);
    PlainSession session = session(now, later);
    sessions.create(session);
    revoked.put("token", "revoked", later);
    assertThat(right.replayCache().firstSeen(USED, later)).isTrue();

    ValkeyStores fast = VALKEY.stores("ahead", SEALING, () -> Instant.now().plus(Duration.ofHours(1)));
    fast.sessions("app", PlainSession.CODEC);
    fast.sweepOnce();

    assertThat(revoked.peek("token")).contains("revoked");
    assertThat(right.replayCache().firstSeen(USED, later)).isFalse();
    assertThat(sessions.byIndex("a")).containsExactly(session);
  }

  @Test
  void whatHasBeenOverForFiveMinutesIsRemoved() {
    Instant now = Instant.ofEpochMilli(InstantSource.system().millis());
    Instant over = now.minus(Duration.ofMinutes(10));
    ValkeyStores node = VALKEY.stores("over", SEALING, InstantSource.system());
    SessionStore<PlainSession> sessions = node.sessions("app", PlainSession.CODEC);
    node.singleUse("codes", TEXT).put("code", "used", over);
    assertThat(node.replayCache().firstSeen(USED, over)).isTrue();
    sessions.create(session(over, over));
    assertThat(keys()).contains("over:u:codes:", "over:m:", "over:s:app:");

    node.sweepOnce();

    assertThat(keys()).doesNotContain("over:u:codes:", "over:m:", "over:s:app:");
  }

  private static PlainSession session(Instant begin, Instant end) {
    return new PlainSession(SessionToken.create(new Random(5)).id(), "demo", new PersonId("alice"), begin, end, Set.of("a"), 0);
  }

  private static String keys() {
    return VALKEY.server().command("KEYS", "over:*");
  }
}
