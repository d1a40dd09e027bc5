package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The random value that one browser has before anybody has logged in: cookie {@code gh_pre.{realm}}. Pending requests
 * keep its hash only, so that several tabs coexist; CSRF tokens are made from it.
 */
public final class BrowserBinding {

  private final RandomGenerator random;

  public BrowserBinding(RandomGenerator random) {
    this.random = random;
  }

  /** The browser's value; empty where it has none yet. */
  public Optional<SessionToken> find(RealmRequest request) {
    return request.http().cookie(Cookies.name(request.origin(), cookie(request))).flatMap(SessionToken::parse);
  }

  /** The browser's value, or a new one that {@link #keep} must send. */
  public SessionToken findOrCreate(RealmRequest request) {
    return find(request).orElseGet(() -> SessionToken.create(random));
  }

  /** Adds the cookie where the browser does not have it yet. */
  public EdgeReply keep(RealmRequest request, SessionToken token, EdgeReply reply) {
    if (find(request).filter(token::equals).isPresent()) {
      return reply;
    }
    return reply.with("Set-Cookie", Cookies.set(request.origin(), cookie(request), token.value()));
  }

  /** What stores keep of it. */
  public static String hash(SessionToken token) {
    return token.id().value();
  }

  /** Whether the request comes from the browser with that hash. */
  public boolean matches(RealmRequest request, String hash) {
    return find(request).filter(token -> hash(token).equals(hash)).isPresent();
  }

  private static String cookie(RealmRequest request) {
    return "gh_pre." + request.realm().name();
  }
}
