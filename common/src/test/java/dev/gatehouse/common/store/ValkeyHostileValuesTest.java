package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that nobody can read, and cookies that nobody got. */
class ValkeyHostileValuesTest {

  /** More than are read at once. */
  private static final int MANY = 520;

  private final Random random = new Random();
  private volatile Instant now = Instant.ofEpochMilli(Instant.now().toEpochMilli());
  private ValkeyServer server;
  private ValkeyStores stores;

  @BeforeEach
  void start() {
    server = ValkeyServer.start();
    stores =
        new ValkeyStores(
            server.config("hostile", Acknowledge.LOCAL),
            new ValkeyStores.Node(SealingKey.inMemory(new Random(3)), () -> now, random, MetricFamilies.unpublished()),
            probe -> Optional.empty());
  }

  @AfterEach
  void stop() {
    stores.close();
    server.close();
  }

  private PlainSession created(SessionStore<PlainSession> store, Duration life) {
    Instant end = now.plus(life);
    PlainSession session =
        new PlainSession(SessionToken.create(random).id(), "demo", new PersonId("alice"), now, end, Set.of("a"), 0);
    store.create(session);
    return session;
  }

  private void spoil(String name) {
    server.command(
        "EVAL", "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('SET', key, 'x') end return 1", "0",
        "hostile:s:" + name + ":*");
  }

  @Test
  void unreadableSessionsHoldUpNoSweep() {
    // What is swept has been over by the clock of the server, too.
    now = now.minus(Duration.ofHours(1));
    SessionStore<PlainSession> store = stores.sessions("app", PlainSession.CODEC, Expired.FORGOTTEN);
    for (int i = 0; i < MANY; i++) {
      created(store, Duration.ofMinutes(1));
    }
    spoil("app");
    PlainSession last = created(store, Duration.ofMinutes(2));
    PlainSession live = created(store, Duration.ofDays(1));
    assertThat(store.count()).isEqualTo(MANY + 2);

    now = now.plus(Duration.ofHours(1));
    Eventually.holds(() -> store.count() == 1);
    assertThat(store.find(last.id())).isEmpty();
    assertThat(store.find(live.id())).contains(live);
  }

  @Test
  void unreadableSessionsHoldUpNoNoticeOfExpiry() {
    SessionStore<PlainSession> store = stores.sessions("idp", PlainSession.CODEC, Expired.KEPT);
    assertThat(store.expired(10)).isEmpty();
    for (int i = 0; i < MANY; i++) {
      created(store, Duration.ofMinutes(1));
    }
    spoil("idp");
    PlainSession last = created(store, Duration.ofMinutes(2));

    now = now.plus(Duration.ofHours(1));
    assertThat(store.expired(10)).containsExactly(last);
    assertThat(store.count()).as("a newer version may read them").isEqualTo(MANY + 1);
  }

  /** The server remembers each key that was read on a tracked connection. */
  @Test
  void inventedCookiesAreNotTracked() {
    SessionStore<PlainSession> store = stores.sessions("app", PlainSession.CODEC, Expired.FORGOTTEN);
    for (int i = 0; i < MANY; i++) {
      assertThat(store.find(SessionToken.create(random).id())).isEmpty();
    }
    assertThat(server.command("INFO", "stats")).contains("tracking_total_keys:0");
    PlainSession session = created(store, Duration.ofDays(1));
    assertThat(store.find(session.id())).contains(session);
    assertThat(server.command("INFO", "stats")).contains("tracking_total_keys:1");
  }
}
