package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionToken;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random value that a browser holds before it has a session. What is begun for a browser keeps only {@link #hash()},
 * so that tabs coexist and no store lets anybody take a login over.
 *
 * @param cookie the cookie's name, before {@code __Host-}
 * @param isNew whether the browser does not have it yet
 */
public record BrowserKey(String cookie, String value, boolean isNew) {

  /** The browser's own, cookie {@code gh_pre.REALM}, if it sent a well-formed one. */
  public static Optional<BrowserKey> of(SpRealm realm, EdgeRequest request) {
    return read("gh_pre." + realm.name(), request);
  }

  /** The browser's own, or a new one that {@link #rememberedBy} gives it. */
  public static BrowserKey ofOrNew(SpRealm realm, EdgeRequest request, RandomGenerator random) {
    return of(realm, request)
        .orElseGet(() -> new BrowserKey("gh_pre." + realm.name(), SessionToken.create(random).value(), true));
  }

  /**
   * The value that came with an unsolicited Response, cookie {@code gh_park.REALM}. Not the same cookie: the Response
   * came without {@code gh_pre}, and a new one in its place would take the pending logins of other tabs away.
   */
  public static Optional<BrowserKey> ofUnsolicited(SpRealm realm, EdgeRequest request) {
    return read("gh_park." + realm.name(), request);
  }

  public static BrowserKey newUnsolicited(SpRealm realm, RandomGenerator random) {
    return new BrowserKey("gh_park." + realm.name(), SessionToken.create(random).value(), true);
  }

  /** For what is sealed for this browser. */
  public SessionToken token() {
    return new SessionToken(value);
  }

  public String hash() {
    return Digests.of("browser", value);
  }

  /** The reply, with the cookie where the browser does not have it yet. */
  public EdgeReply rememberedBy(EdgeReply reply, EdgeRequest request) {
    return isNew ? reply.with("Set-Cookie", Cookies.set(request.origin(), cookie, value)) : reply;
  }

  /** The reply, with the cookie taken away. */
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
