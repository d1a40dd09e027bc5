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
 * Authorization codes: the ID of the future authorization, a dot, and 32 random bytes. The ID tells which authorization
 * to end if a code is presented twice (RFC 6749, section 4.1.2). The store contains only the hash of the code.
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

  /** Issues a code with this lifetime. It is durable when the method returns. */
  public String issue(IssuedCode issued, Duration life) {
    String code = issued.authorization().id().value() + "." + SessionToken.create(random).value();
    store.put(key(code), issued, clock.instant().plus(life));
    return code;
  }

  /** Takes the code. Exactly one of several parallel callers gets it. */
  public TakeResult<IssuedCode> take(String code) {
    return store.take(key(code));
  }

  /** The authorization that a code of this form names. */
  static Optional<SessionId> authorization(String code) {
    int dot = code.indexOf('.');
    return dot < 0 ? Optional.empty() : SessionToken.parse(code.substring(0, dot)).map(t -> new SessionId(t.value()));
  }

  private static String key(String code) {
    return new SessionToken(code).id().value();
  }
}
