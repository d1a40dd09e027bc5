package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The first steps that wait for a second one: usable once, bound to the browser, valid for ten minutes. */
public final class PassedFirstFactors {

  /** The name of the store. */
  public static final String STORE = "idp-first-steps";

  private static final Duration LIFE = Duration.ofMinutes(10);

  private final SingleUseStore<PassedFirstFactor> store;
  private final BrowserBinding browsers;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PassedFirstFactors(Stores stores, BrowserBinding browsers, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new Codec());
    this.browsers = browsers;
    this.clock = clock;
    this.random = random;
  }

  /** Gives first steps by passkey or token a number that versions before these refuse, because they do not know the words. */
  static final class Codec implements ValueCodec<PassedFirstFactor> {

    private static final byte PLAIN = 1;
    private static final byte WITH_NEW_WORDS = 3;

    private final JsonCodec<PassedFirstFactor> json = new JsonCodec<PassedFirstFactor>(PassedFirstFactor.class);

    @Override
    public byte[] encode(PassedFirstFactor step) {
      byte[] bytes = json.encode(step);
      bytes[0] = step.passed().hasNewWords() ? WITH_NEW_WORDS : PLAIN;
      return bytes;
    }

    @Override
    public PassedFirstFactor decode(byte[] bytes) {
      byte[] known = bytes.clone();
      if (known.length > 0 && known[0] == WITH_NEW_WORDS) {
        known[0] = PLAIN;
      }
      return json.decode(known);
    }
  }

  /** @return its key */
  String begin(
      RealmRequest request, Person person, AuthnEvent passed, SessionToken browser, Optional<String> pending) {
    String key = SessionToken.create(random).value();
    store.put(
        key,
        new PassedFirstFactor(request.realm().name(), person.id(), passed, BrowserBinding.hash(browser), pending),
        clock.instant().plus(LIFE));
    return key;
  }

  /** Looks without taking: the page may be reloaded, and the code may be wrong. */
  Optional<PassedFirstFactor> find(RealmRequest request, String key) {
    return store
        .peek(key)
        .filter(step -> step.realm().equals(request.realm().name()) && browsers.matches(request, step.browser()));
  }

  /** Takes the first step: of two parallel logins, one continues. */
  boolean finish(String key) {
    return store.take(key) instanceof TakeResult.First;
  }
}
