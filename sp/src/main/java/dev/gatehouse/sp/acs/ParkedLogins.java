package dev.gatehouse.sp.acs;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.sp.codec.FieldCodec;
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
public final class ParkedLogins {

  static final Duration LIFE = Duration.ofHours(1);

  /**
   * Many people behind one address may log in at the same time. Completed logins do not count. When the limit is
   * reached, the oldest login is dropped.
   */
  private static final int MOST_PER_NETWORK = 1000;

  /**
   * A person may submit the same form again. The limit prevents one login sent from many addresses from filling the
   * store.
   */
  private static final int MOST_PER_ASSERTION = 5;

  private static final int MOST = 20_000;

  /** The target of a login that was taken. */
  record Memo(String realm, boolean solicited, ReturnTarget target, String browser) {

    static final FieldCodec<Memo> CODEC =
        new FieldCodec<>(
            1,
            (out, memo) -> {
              out.text(memo.realm());
              out.number(memo.solicited() ? 1 : 0);
              ReturnTarget.write(out, memo.target());
              out.text(memo.browser());
            },
            in -> new Memo(in.text(), in.number() == 1, ReturnTarget.read(in), in.text()));
  }

  /** The result of {@link #park}. */
  sealed interface Place {
    record Parked(String key) implements Place {}

    record Full(Duration retryAfter) implements Place {}
  }

  private final SingleUseStore<VerifiedLogin> arrivals;
  private final SingleUseStore<Memo> memos;
  private final FairQuota bound;
  private final PerAddressQuota copies;
  private final InstantSource time;
  private final RandomGenerator random;

  public ParkedLogins(Stores stores, InstantSource time, RandomGenerator random) {
    this.arrivals = stores.singleUse("sp-parked-login", VerifiedLogin.CODEC);
    this.memos = stores.singleUse("sp-landed-login", Memo.CODEC);
    this.bound = new FairQuota(MOST_PER_NETWORK, MOST, time);
    this.copies = new PerAddressQuota(MOST_PER_ASSERTION, 2 * MOST, LIFE, time);
    this.time = time;
    this.random = random;
  }

  Place park(VerifiedLogin arrival, InetAddress client) {
    if (!copies.enter(assertion(arrival))) {
      return new Place.Full(LIFE);
    }
    String key = SessionToken.create(random).value();
    Instant end = time.instant().plus(LIFE);
    return switch (bound.enter(key, client, 1, end)) {
      case FairQuota.Admission.Full(var leaving, Duration retryAfter) -> {
        leaving.forEach(this::giveWay);
        copies.leave(assertion(arrival));
        yield new Place.Full(retryAfter);
      }
      case FairQuota.Admission.Admitted(var leaving) -> {
        leaving.forEach(this::giveWay);
        arrivals.put(key, arrival, end);
        yield new Place.Parked(key);
      }
    };
  }

  private void giveWay(String key) {
    arrivals.peek(key).ifPresent(arrival -> copies.leave(assertion(arrival)));
    arrivals.discard(key);
  }

  Optional<Memo> memo(String key) {
    return memos.peek(key);
  }

  Optional<VerifiedLogin> peek(String key) {
    return arrivals.peek(key);
  }

  /**
   * Takes the login. Only one caller gets it.
   *
   * @param memo the answer to later callers
   */
  Optional<VerifiedLogin> take(String key, Memo memo) {
    // Not waited for: without it, a page that is loaded again after a crash says that the login has expired.
    memos.updateLater(key, before -> memo, time.instant().plus(LIFE));
    if (arrivals.take(key) instanceof TakeResult.First<VerifiedLogin>(VerifiedLogin arrival)) {
      bound.leave(key);
      copies.leave(assertion(arrival));
      return Optional.of(arrival);
    }
    return Optional.empty();
  }

  private static String assertion(VerifiedLogin arrival) {
    return arrival.assertion().identityProvider() + "\n" + arrival.assertion().id();
  }
}
