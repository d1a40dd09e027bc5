package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.LoginRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Logins of people who must prove which local account is theirs. The consumed login waits 15 minutes for the browser
 * that began it.
 *
 * <p>Only logins that this browser requested may be linked. Otherwise an attacker could make another person's browser
 * bring the attacker's login; when that person proved their account, both could use the account from then on.
 */
public final class Linking {

  private static final String FORM = "link";
  private static final Duration LIFE = Duration.ofMinutes(15);

  private final SingleUseStore<PendingLink> store;
  private final InstantSource time;
  private final RandomGenerator random;

  public Linking(Stores stores, InstantSource time, RandomGenerator random) {
    this.store = stores.singleUse("sp-linking", PendingLink.CODEC);
    this.time = time;
    this.random = random;
  }

  /** Redirects to the form. The login was already consumed. */
  EdgeReply begin(SpRealm realm, RecognisedLogin login) {
    String key = SessionToken.create(random).value();
    store.put(
        key,
        new PendingLink(realm.name(), login.assertion(), login.target(), login.browser()),
        time.instant().plus(LIFE));
    return EdgeReply.seeOther(LinkEndpoint.PATH + "?key=" + key);
  }

  /**
   * Begins again with a request of ours, because the login was unsolicited. The unsolicited login is neither consumed
   * nor used.
   */
  EdgeReply beginAtProvider(SpRealm realm, RecognisedLogin login) {
    LoginRequest loginRequest = LoginRequest.to(login.target()).at(login.assertion().identityProvider());
    return EdgeReply.seeOther(LoginEndpoint.link(realm.home(), loginRequest));
  }

  /** Returns the pending link under the key, but only to the browser that began it. */
  Optional<PendingLink> find(SpRealm realm, EdgeRequest request, String key) {
    Optional<BrowserKey> browser = BrowserKey.of(realm, request);
    return store
        .peek(key)
        .filter(link -> link.realm().equals(realm.name()))
        .filter(link -> browser.filter(own -> Digests.equal(own.hash(), link.browser())).isPresent());
  }

  /** Takes the pending link. Returns true to exactly one caller. */
  boolean take(String key) {
    return store.take(key) instanceof TakeResult.First<PendingLink>;
  }

  /** The token of the form that this browser gets for the pending link. */
  static String csrf(SpRealm realm, EdgeRequest request, String key) {
    return BrowserKey.of(realm, request)
        .map(browser -> CsrfToken.of(browser.token(), FORM, key))
        .orElse("-");
  }

  /** Returns whether a page of ours sent the form of the pending link. */
  static boolean isFormOf(SpRealm realm, EdgeRequest request, String key) {
    return BrowserKey.of(realm, request).filter(own -> CsrfToken.isIn(request, own.token(), FORM, key)).isPresent();
  }
}
