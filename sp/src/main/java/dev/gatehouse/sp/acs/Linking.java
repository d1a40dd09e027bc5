package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.LoginRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Logins of people who have to say which local account is theirs. What was consumed waits a quarter of an hour for the
 * browser that began.
 *
 * <p>Only for a login that this browser asked for: if somebody could make another person's browser bring a login of their
 * own, and that person then proved their account, the account would be open to both from then on.
 */
public final class Linking {

  private static final Duration LIFE = Duration.ofMinutes(15);

  private final SingleUseStore<PendingLink> store;
  private final InstantSource time;
  private final RandomGenerator random;

  public Linking(Stores stores, InstantSource time, RandomGenerator random) {
    this.store = stores.singleUse("sp-linking", PendingLink.CODEC);
    this.time = time;
    this.random = random;
  }

  /** Goes to the form; the login was consumed. */
  EdgeReply begin(SpRealm realm, RecognisedLogin login) {
    String key = SessionToken.create(random).value();
    store.put(
        key,
        new PendingLink(realm.name(), login.assertion(), login.target(), login.browser()),
        time.instant().plus(LIFE));
    return EdgeReply.seeOther(LinkEndpoint.PATH + "?key=" + key);
  }

  /** Begins anew, with a request of ours: the login came unasked. It is not consumed, and of no use. */
  EdgeReply beginAtProvider(SpRealm realm, RecognisedLogin login) {
    LoginRequest wish = LoginRequest.to(login.target()).at(login.assertion().identityProvider());
    return EdgeReply.seeOther(LoginEndpoint.link(realm.home(), wish));
  }

  /** What waits under the key, for the browser that began and no other. */
  Optional<PendingLink> find(SpRealm realm, EdgeRequest request, String key) {
    Optional<BrowserKey> browser = BrowserKey.of(realm, request);
    return store
        .peek(key)
        .filter(link -> link.realm().equals(realm.name()))
        .filter(link -> browser.filter(own -> Digests.equal(own.hash(), link.browser())).isPresent());
  }

  /** Whether it waited still; true for one caller alone. */
  boolean take(String key) {
    return store.take(key) instanceof TakeResult.First<PendingLink>;
  }

  static String csrf(BrowserKey browser, String key) {
    return Digests.of("connect an account", browser.value(), key);
  }
}
