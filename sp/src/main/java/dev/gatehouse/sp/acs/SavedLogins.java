package dev.gatehouse.sp.acs;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.sp.edge.PerAddressQuota;
import dev.gatehouse.sp.login.ReturnTarget;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Logins that wait for the GET request on which the browser brings its cookies. They wait for one hour, so that the
 * person can reload a page that failed to load. A memo of the target remains after the login was taken.
 */
public final class SavedLogins {

  static final Duration LIFE = Duration.ofHours(1);

  /**
   * Many people behind one address may log in at the same time. Completed logins do not count. When the limit is
   * reached, the oldest login is dropped.
   */
  private static final int MAX_PER_NETWORK = 1000;

  /**
   * A person may submit the same form again. The limit prevents one login sent from many addresses from filling the
   * store.
   */
  private static final int MAX_PER_ASSERTION = 5;

  private static final int MAX = 20_000;

  /** The target of a login that was taken. */
  record Memo(String realm, boolean solicited, ReturnTarget target, String browser) {

    static final PackedCodec<Memo> CODEC =
        PackedCodec.of(
            2,
            (out, memo) -> {
              out.text(memo.realm());
              out.number(memo.solicited() ? 1 : 0);
              ReturnTarget.write(out, memo.target());
              out.text(memo.browser());
            },
            in -> new Memo(in.text(), in.number() == 1, ReturnTarget.read(in), in.text()));
  }

  /** The result of {@link #save}. */
  sealed interface SaveResult {
    record Saved(String key) implements SaveResult {}

    record Full(Duration retryAfter) implements SaveResult {}
  }

  private final SingleUseStore<VerifiedLogin> logins;
  private final SingleUseStore<Memo> memos;
  private final FairQuota quota;
  private final PerAddressQuota copies;
  private final InstantSource time;
  private final RandomGenerator random;

  public SavedLogins(Stores stores, InstantSource time, RandomGenerator random) {
    this.logins = stores.singleUse("sp-parked-login", VerifiedLogin.CODEC);
    this.memos = stores.singleUse("sp-landed-login", Memo.CODEC);
    this.quota = new FairQuota(MAX_PER_NETWORK, MAX, time);
    this.copies = new PerAddressQuota(MAX_PER_ASSERTION, 2 * MAX, LIFE, time);
    this.time = time;
    this.random = random;
  }

  SaveResult save(VerifiedLogin verified, InetAddress client) {
    if (!copies.enter(assertion(verified))) {
      return new SaveResult.Full(LIFE);
    }
    String key = SessionToken.create(random).value();
    Instant end = time.instant().plus(LIFE);
    return switch (quota.enter(key, client, 1, end)) {
      case FairQuota.Admission.Full(var leaving, Duration retryAfter) -> {
        leaving.forEach(this::giveWay);
        copies.leave(assertion(verified));
        yield new SaveResult.Full(retryAfter);
      }
      case FairQuota.Admission.Admitted(var leaving) -> {
        leaving.forEach(this::giveWay);
        logins.put(key, verified, end);
        yield new SaveResult.Saved(key);
      }
    };
  }

  private void giveWay(String key) {
    logins.peek(key).ifPresent(verified -> copies.leave(assertion(verified)));
    logins.discard(key);
  }

  Optional<Memo> memo(String key) {
    return memos.peek(key);
  }

  Optional<VerifiedLogin> peek(String key) {
    return logins.peek(key);
  }

  /**
   * Takes the login. Only one caller gets it.
   *
   * @param memo the answer to later callers
   */
  Optional<VerifiedLogin> take(String key, Memo memo) {
    // Written in the background: if a crash loses the memo, a page that is loaded again reports that the login has expired.
    memos.updateLater(key, before -> memo, time.instant().plus(LIFE));
    if (logins.take(key) instanceof TakeResult.First<VerifiedLogin>(VerifiedLogin verified)) {
      quota.leave(key);
      copies.leave(assertion(verified));
      return Optional.of(verified);
    }
    return Optional.empty();
  }

  private static String assertion(VerifiedLogin verified) {
    return verified.assertion().identityProvider() + "\n" + verified.assertion().id();
  }
}
