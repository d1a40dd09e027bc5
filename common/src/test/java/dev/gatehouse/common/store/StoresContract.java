package dev.gatehouse.common.store;

import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.throttle.QuotaAccount;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** The contracts of all stores, for one form of {@link Stores}. */
abstract class StoresContract {

  /** Opens empty stores; each test does so once. */
  abstract Stores open(InstantSource time);

  @Nested
  class Sessions extends SessionStoreContract {
    private SessionStore<PlainSession> store;

    @BeforeEach
    void open() {
      store = StoresContract.this.open(time).sessions("app", PlainSession.CODEC);
    }

    @Override
    SessionStore<PlainSession> store() {
      return store;
    }
  }

  @Nested
  class KeptSessions extends KeptSessionsContract {
    private SessionStore<PlainSession> store;

    @BeforeEach
    void open() {
      store = StoresContract.this.open(time).sessions("app", PlainSession.CODEC, Expired.KEPT);
    }

    @Override
    SessionStore<PlainSession> store() {
      return store;
    }
  }

  @Nested
  class Due extends DueStoreContract {
    private DueStore<String> store;

    @BeforeEach
    void open() {
      store = StoresContract.this.open(time).due("work", new TextCodec());
    }

    @Override
    DueStore<String> store() {
      return store;
    }
  }

  @Nested
  class SingleUse extends SingleUseStoreContract {
    private SingleUseStore<String> store;

    @BeforeEach
    void open() {
      store = StoresContract.this.open(time).singleUse("codes", new TextCodec());
    }

    @Override
    SingleUseStore<String> store() {
      return store;
    }
  }

  @Nested
  class Limited extends LimitedStoreContract {
    private LimitedStore<String> store;

    @BeforeEach
    void open() {
      store = StoresContract.this.open(time).limited("codes", new TextCodec(), LIMITS, time);
    }

    @Override
    LimitedStore<String> store() {
      return store;
    }
  }

  @Nested
  class Account extends QuotaAccountContract {
    private QuotaAccount account;

    @BeforeEach
    void open() {
      account = StoresContract.this.open(time).account("requests", LIMITS, time);
    }

    @Override
    QuotaAccount account() {
      return account;
    }
  }

  @Nested
  class Replay extends ReplayCacheContract {
    private ReplayCache cache;

    @BeforeEach
    void open() {
      cache = StoresContract.this.open(time).replayCache();
    }

    @Override
    ReplayCache cache() {
      return cache;
    }
  }
}
