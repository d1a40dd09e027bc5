package dev.gatehouse.sp.acs;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.edge.AddressBound;
import dev.gatehouse.sp.login.ReturnTarget;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Logins that wait for the GET on which the browser brings its cookies. An hour long, so that a page that did not load
 * may be loaded again; the memo of where the person goes stays when the login itself was taken.
 */
public final class Parking {

  static final Duration LIFE = Duration.ofHours(1);

  /** Everybody behind one address may be logging in at once; what was landed does not count. */
  private static final int MOST_PER_ADDRESS = 1000;

  /** A person may send the same form again; nobody fills all places with one login from many addresses. */
  private static final int MOST_PER_ASSERTION = 5;

  private static final int MOST = 20_000;

  /** What is known of a parked login before and after it is taken. */
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

  private final SingleUseStore<Arrival> arrivals;
  private final SingleUseStore<Memo> memos;
  private final AddressBound bound;
  private final AddressBound copies;
  private final InstantSource time;
  private final RandomGenerator random;

  public Parking(Stores stores, InstantSource time, RandomGenerator random) {
    this.arrivals = stores.singleUse("sp-parked", Arrival.CODEC);
    this.memos = stores.singleUse("sp-parked-memo", Memo.CODEC);
    this.bound = new AddressBound(MOST_PER_ADDRESS, MOST, LIFE, time);
    this.copies = new AddressBound(MOST_PER_ASSERTION, MOST, LIFE, time);
    this.time = time;
    this.random = random;
  }

  /** Parks it and returns its key; empty where too many wait. */
  Optional<String> park(Arrival arrival, InetAddress client) {
    if (!copies.enter(assertion(arrival))) {
      return Optional.empty();
    }
    if (!bound.enter(client)) {
      copies.leave(assertion(arrival));
      return Optional.empty();
    }
    String key = SessionToken.create(random).value();
    Instant end = time.instant().plus(LIFE);
    memos.put(key, new Memo(arrival.realm(), arrival.isSolicited(), arrival.target(), arrival.browser()), end);
    arrivals.put(key, arrival, end);
    return Optional.of(key);
  }

  Optional<Memo> memo(String key) {
    return memos.peek(key);
  }

  Optional<Arrival> peek(String key) {
    return arrivals.peek(key);
  }

  /** The login, to one caller alone. */
  Optional<Arrival> take(String key, InetAddress client) {
    if (arrivals.take(key) instanceof Take.First<Arrival>(Arrival arrival)) {
      bound.leave(client);
      copies.leave(assertion(arrival));
      return Optional.of(arrival);
    }
    return Optional.empty();
  }

  private static String assertion(Arrival arrival) {
    return arrival.assertion().identityProvider() + "\n" + arrival.assertion().id();
  }
}
