package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a request to a protected page gets that has no session. A page that a person navigates to leads to the login; a
 * form that they sent gets 409 and a link, because a login would lose what they wrote; anything else gets 401 and opens
 * nothing.
 */
public final class Challenge {

  private final LoginEndpoint login;
  private final SavedRequests posts;
  private final Pages pages;
  private final RandomGenerator random;

  public Challenge(LoginEndpoint login, SavedRequests posts, Pages pages, RandomGenerator random) {
    this.login = login;
    this.posts = posts;
    this.pages = pages;
    this.random = random;
  }

  /**
   * @param route whose {@link LoginRequirements} the login must meet
   * @param mayReplayPost whether the route allows a POST to be kept and repeated
   */
  public EdgeReply answer(SpRealm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    if (request.method().equals("GET") && request.isNavigation()) {
      return login.begin(realm, request, wish(realm, ReturnTarget.of(request), route));
    }
    return isForm(request) ? conflict(realm, request, route, mayReplayPost) : unauthorized(realm);
  }

  /** Where the login begins, at the origin of the request; empty where no person navigates to a page. */
  public Optional<String> address(SpRealm realm, EdgeRequest request, RouteLogin route) {
    return request.method().equals("GET") && request.isNavigation()
        ? Optional.of(request.origin() + LoginEndpoint.link(request.origin(), wish(realm, ReturnTarget.of(request), route)))
        : Optional.empty();
  }

  /** Most routes need nothing special, and their links stay short. */
  private static LoginRequest wish(SpRealm realm, ReturnTarget target, RouteLogin route) {
    LoginRequest wish = LoginRequest.to(target);
    return LoginRequirements.of(realm.realm(), route).equals(LoginRequirements.ANY) ? wish : wish.of(route);
  }

  /**
   * 401 for scripts. The scheme is that of sites which log in with a form and a cookie (draft-broyer-http-cookie-auth):
   * RFC 9110, section 11.6.1 demands one, and browsers show no dialog for this one.
   */
  static EdgeReply unauthorized(SpRealm realm) {
    return EdgeReply.json(401, "{\"error\":\"login-required\",\"login\":\"" + LoginEndpoint.PATH + "\"}")
        .with(
            "WWW-Authenticate",
            "Cookie realm=\"" + realm.name() + "\", form-action=\"" + LoginEndpoint.PATH + "\", cookie-name="
                + ServiceProvider.COOKIE);
  }

  /** A POST that a page's form may have made; clients that send no fetch metadata are judged by the body's type. */
  private static boolean isForm(EdgeRequest request) {
    if (!request.method().equals("POST")) {
      return false;
    }
    String type = request.headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    return request
        .headers()
        .first("Sec-Fetch-Mode")
        .map(mode -> mode.equals("navigate"))
        .orElseGet(
            () ->
                type.isEmpty()
                    || request.isForm()
                    || type.startsWith("multipart/form-data")
                    || type.startsWith("text/plain"));
  }

  private EdgeReply conflict(SpRealm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    Optional<String> kept = mayReplayPost ? posts.keep(realm, request, browser) : Optional.empty();
    String back = kept.map(SavedRequests::page).orElseGet(() -> referer(request));
    String link = LoginEndpoint.link(request.origin(), wish(realm, ReturnTarget.local(request.origin(), back), route));
    Page page = Page.of(409, "login-first", Map.of("login", link, "kept", kept.isPresent()));
    EdgeReply reply = pages.render(request, Optional.of(realm.realm()), page);
    return kept.isPresent() ? browser.rememberedBy(reply, request) : reply;
  }

  /** The page with the form, where the browser tells and it is one of this origin's. */
  private static String referer(EdgeRequest request) {
    String prefix = request.origin().toString();
    return request
        .headers()
        .first("Referer")
        .filter(referer -> referer.startsWith(prefix + "/"))
        .map(referer -> referer.substring(prefix.length()))
        .filter(ReturnTarget::isLocalPath)
        .orElse("/");
  }
}
