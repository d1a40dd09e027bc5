package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Authorization codes: the ID of the authorization to be, a dot, and 32 random bytes. The ID tells what to end where a code
 * comes twice (RFC 6749, section 4.1.2); stores know the code by its hash alone.
 */
public final class Codes {

  private final SingleUseStore<IssuedCode> store;
  private final InstantSource clock;
  private final RandomGenerator random;

  public Codes(SingleUseStore<IssuedCode> store, InstantSource clock, RandomGenerator random) {
    this.store = store;
    this.clock = clock;
    this.random = random;
  }

  /** A code that lives that long. Durable when it returns. */
  public String issue(IssuedCode issued, Duration life) {
    String code = issued.authorization().id().value() + "." + SessionToken.create(random).value();
    store.put(key(code), issued, clock.instant().plus(life));
    return code;
  }

  /** Of parallel callers exactly one gets it. */
  public TakeResult<IssuedCode> take(String code) {
    return store.take(key(code));
  }

  /** The authorization that a code of this shape names. */
  static Optional<SessionId> authorization(String code) {
    int dot = code.indexOf('.');
    return dot < 0 ? Optional.empty() : SessionToken.parse(code.substring(0, dot)).map(t -> new SessionId(t.value()));
  }

  private static String key(String code) {
    return new SessionToken(code).id().value();
  }
}
