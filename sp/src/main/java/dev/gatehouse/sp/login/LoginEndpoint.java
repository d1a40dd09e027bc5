package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * {@code GET /.gatehouse/login?return=…}: goes to the identity provider, or straight back where there is a session. At
 * an origin other than home it first leaves a nonce with the browser and goes home with the nonce's hash; home sends
 * the person back with a ticket.
 */
public final class LoginEndpoint {

  /** Where a login begins. */
  public static final String PATH = ServiceProvider.PREFIX + "login";

  private static final int HASH_LENGTH = 43;

  private final LoginStart start;
  private final Landing landing;
  private final AppSessionCache sessions;
  private final Refusals refusals;
  private final RandomGenerator random;

  public LoginEndpoint(
      LoginStart start, Landing landing, AppSessionCache sessions, Refusals refusals, RandomGenerator random) {
    this.start = start;
    this.landing = landing;
    this.sessions = sessions;
    this.refusals = refusals;
    this.random = random;
  }

  /** The link that begins a login here and comes back to that path. */
  public static String link(String returnPath) {
    return PATH + "?return=" + encode(returnPath);
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    if (!request.isNavigation()) {
      return Challenge.unauthorized(realm);
    }
    ReturnTarget target = target(realm, request);
    if (!target.origin().equals(request.origin()) && !realm.isHome(request)) {
      target = ReturnTarget.local(request.origin(), "/");
    }
    Optional<AppSession> session = session(realm, request);
    if (session.isPresent()) {
      return landing.land(realm, target, session.get().id());
    }
    return begin(realm, request, target);
  }

  /** Begins a login for a person without a session at this origin. */
  EdgeReply begin(SpRealm realm, EdgeRequest request, ReturnTarget target) {
    if (!realm.isHome(request)) {
      return goHome(realm, request, target);
    }
    boolean nonceIsMissing = !target.origin().equals(realm.home()) && target.nonceHash().isEmpty();
    return nonceIsMissing
        ? EdgeReply.seeOther(target.origin() + link(target.path()))
        : start.begin(realm, request, target);
  }

  private EdgeReply goHome(SpRealm realm, EdgeRequest request, ReturnTarget target) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    String url = realm.home() + link(target.url()) + "&nonce=" + browser.hash();
    return browser.rememberedBy(EdgeReply.seeOther(url), request);
  }

  private static ReturnTarget target(SpRealm realm, EdgeRequest request) {
    Parameters parameters = request.queryParameters();
    ReturnTarget target = ReturnTarget.parse(parameters.one("return").orElse("/"), realm, request.origin());
    return parameters
        .one("nonce")
        .filter(nonce -> nonce.length() == HASH_LENGTH)
        .filter(nonce -> !target.origin().equals(realm.home()))
        .map(target::withNonceHash)
        .orElse(target);
  }

  private Optional<AppSession> session(SpRealm realm, EdgeRequest request) {
    return request
        .cookie(Cookies.name(request.origin(), ServiceProvider.COOKIE))
        .flatMap(SessionToken::parse)
        .flatMap(token -> sessions.load(realm.name(), token));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
