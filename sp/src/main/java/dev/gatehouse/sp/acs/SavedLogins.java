package dev.gatehouse.sp.acs;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.FairQuota;
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
   * Many people behind one address may log in at the same time: a thousand. Completed logins do not count. When the limit is reached,
   * the oldest login is dropped. A person may submit the same form again: five times, so that one login sent from many addresses does
   * not fill the store.
   */
  private static final FairQuota.Limits LIMITS = new FairQuota.Limits(1000, 20_000, 5);

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

  private final LimitedStore<VerifiedLogin> logins;
  private final SingleUseStore<Memo> memos;
  private final InstantSource time;
  private final RandomGenerator random;

  public SavedLogins(Stores stores, InstantSource time, RandomGenerator random) {
    this.logins = stores.limited("sp-parked-login", VerifiedLogin.CODEC, LIMITS, time);
    this.memos = stores.singleUse("sp-landed-login", Memo.CODEC);
    this.time = time;
    this.random = random;
  }

  SaveResult save(VerifiedLogin verified, InetAddress client) {
    String key = SessionToken.create(random).value();
    return logins
        .putWithin(key, new FairQuota.Claim(client, 1, assertion(verified)), verified, time.instant().plus(LIFE))
        .<SaveResult>map(SaveResult.Full::new)
        .orElseGet(() -> new SaveResult.Saved(key));
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
      return Optional.of(verified);
    }
    return Optional.empty();
  }

  /** Drops the login. */
  void drop(String key) {
    logins.discard(key);
  }

  private static String assertion(VerifiedLogin verified) {
    return verified.assertion().identityProvider() + "\n" + verified.assertion().id();
  }
}
