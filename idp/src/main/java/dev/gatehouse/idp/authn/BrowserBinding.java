package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The random value that a browser holds before anyone has logged in: cookie {@code gh_pre.{realm}}. Pending requests
 * contain only its hash, so that several tabs coexist; CSRF tokens are derived from it.
 */
public final class BrowserBinding {

  private final RandomGenerator random;

  public BrowserBinding(RandomGenerator random) {
    this.random = random;
  }

  /** The browser's value; empty if it has none yet. */
  public Optional<SessionToken> find(RealmRequest request) {
    return request.http().cookie(Cookies.name(request.origin(), cookie(request))).flatMap(SessionToken::parse);
  }

  /** The browser's value, or a new one that {@link #keep} must send. */
  public SessionToken findOrCreate(RealmRequest request) {
    return find(request).orElseGet(() -> SessionToken.create(random));
  }

  /** Adds the cookie if the browser does not have it yet. */
  public EdgeReply keep(RealmRequest request, SessionToken token, EdgeReply reply) {
    if (find(request).filter(token::equals).isPresent()) {
      return reply;
    }
    return reply.with("Set-Cookie", Cookies.set(request.origin(), cookie(request), token.value()));
  }

  /** The hash that stores contain. */
  public static String hash(SessionToken token) {
    return token.id().value();
  }

  /** Returns whether the request comes from the browser with this hash. */
  public boolean matches(RealmRequest request, String hash) {
    return find(request).filter(token -> hash(token).equals(hash)).isPresent();
  }

  private static String cookie(RealmRequest request) {
    return "gh_pre." + request.realm().name();
  }
}
