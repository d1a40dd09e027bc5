package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random value that a browser holds before it has a session. State that is created for a browser contains only
 * {@link #hash()}, so that tabs coexist and nobody with access to a store can take over a login.
 *
 * @param cookie the name of the cookie, without the prefix {@code __Host-}
 * @param isNew whether the browser does not have the value yet
 */
public record BrowserKey(String cookie, String value, boolean isNew) {

  /** The browser's key from cookie {@code gh_pre.REALM}, if the browser sent a well-formed one. */
  public static Optional<BrowserKey> of(SpRealm realm, EdgeRequest request) {
    return read("gh_pre." + realm.name(), request);
  }

  /** The browser's key, or a new one that {@link #rememberedBy} stores in the browser. */
  public static BrowserKey ofOrNew(SpRealm realm, EdgeRequest request, RandomGenerator random) {
    return of(realm, request)
        .orElseGet(() -> new BrowserKey("gh_pre." + realm.name(), SessionToken.create(random).value(), true));
  }

  /**
   * The key of an unsolicited Response, from cookie {@code gh_park.REALM}. It has its own cookie: the Response came
   * without {@code gh_pre}, and replacing that cookie would break the pending logins of other tabs.
   */
  public static Optional<BrowserKey> ofUnsolicited(SpRealm realm, EdgeRequest request) {
    return read("gh_park." + realm.name(), request);
  }

  public static BrowserKey newUnsolicited(SpRealm realm, RandomGenerator random) {
    return new BrowserKey("gh_park." + realm.name(), SessionToken.create(random).value(), true);
  }

  /** The key as the token to which state of this browser is sealed. */
  public SessionToken token() {
    return new SessionToken(value);
  }

  public String hash() {
    return Digests.of("browser", value);
  }

  /** Adds the cookie to the reply if the browser does not have it yet. */
  public EdgeReply rememberedBy(EdgeReply reply, EdgeRequest request) {
    return isNew ? reply.with("Set-Cookie", Cookies.set(request.origin(), cookie, value)) : reply;
  }

  /** Adds to the reply the removal of the cookie. */
  public EdgeReply forgottenBy(EdgeReply reply, EdgeRequest request) {
    return reply.with("Set-Cookie", Cookies.remove(request.origin(), cookie));
  }

  private static Optional<BrowserKey> read(String cookie, EdgeRequest request) {
    return request
        .cookie(Cookies.name(request.origin(), cookie))
        .flatMap(SessionToken::parse)
        .map(token -> new BrowserKey(cookie, token.value(), false));
  }

  @Override
  public String toString() {
    return "***";
  }
}
