package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryStoresTest {

  @Nested
  class Sessions extends SessionStoreContract {
    private final SessionStore<PlainSession> store = new MemoryStores(time).sessions("app", PlainSession.CODEC);

    @Override
    SessionStore<PlainSession> store() {
      return store;
    }
  }

  @Nested
  class KeptSessions extends KeptSessionsContract {
    private final SessionStore<PlainSession> store =
        new MemoryStores(time).sessions("app", PlainSession.CODEC, Expired.KEPT);

    @Override
    SessionStore<PlainSession> store() {
      return store;
    }
  }

  @Nested
  class Due extends DueStoreContract {
    private final DueStore<String> store = new MemoryStores(time).due("work", new TextCodec());

    @Override
    DueStore<String> store() {
      return store;
    }
  }

  @Nested
  class SingleUse extends SingleUseStoreContract {
    private final SingleUseStore<String> store = new MemoryStores(time).singleUse("codes", new TextCodec());

    @Override
    SingleUseStore<String> store() {
      return store;
    }
  }

  @Nested
  class Replay extends ReplayCacheContract {
    private final ReplayCache cache = new MemoryStores(time).replayCache();

    @Override
    ReplayCache cache() {
      return cache;
    }
  }

  @Test
  void givesEachNameOutOnce() {
    MemoryStores stores = new MemoryStores(InstantSource.system());
    assertThat(stores.singleUse("codes", new TextCodec())).isNotNull();
    assertThatIllegalStateException().isThrownBy(() -> stores.singleUse("codes", new TextCodec()));
    assertThatIllegalStateException().isThrownBy(() -> stores.sessions("codes", PlainSession.CODEC));
    assertThatIllegalArgumentException().isThrownBy(() -> stores.singleUse("No name", new TextCodec()));
  }

  @Test
  void isBoundedAndFreeAgainAfterExpiry() {
    TestTime time = new TestTime();
    MemorySingleUseStore<String> store = new MemorySingleUseStore<>(time, 2);
    MemoryReplayCache cache = new MemoryReplayCache(time, 2);
    Instant expiry = time.instant().plusSeconds(60);
    for (String key : new String[] {"1", "2"}) {
      store.put(key, "value", expiry);
      cache.firstSeen(new ReplayCache.ReplayKey("demo", "idp", key), expiry);
    }
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> store.put("3", "value", expiry));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> cache.firstSeen(new ReplayCache.ReplayKey("demo", "idp", "3"), expiry));
    time.advance(Duration.ofSeconds(60));
    Instant later = time.instant().plusSeconds(60);
    store.put("3", "value", later);
    assertThat(store.take("3")).isEqualTo(new TakeResult.First<>("value"));
    assertThat(cache.firstSeen(new ReplayCache.ReplayKey("demo", "idp", "3"), later)).isTrue();
  }
}
