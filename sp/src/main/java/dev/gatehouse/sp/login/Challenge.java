package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Answers a request for a protected page that has no session. A page navigation leads to the login. A form submission
 * gets 409 and a link, because a login would lose what the person wrote. All other requests get 401.
 */
public final class Challenge {

  private final LoginEndpoint login;
  private final SavedRequests savedRequests;
  private final Pages pages;
  private final RandomGenerator random;

  public Challenge(LoginEndpoint login, SavedRequests savedRequests, Pages pages, RandomGenerator random) {
    this.login = login;
    this.savedRequests = savedRequests;
    this.pages = pages;
    this.random = random;
  }

  /**
   * @param route the route; the login must meet its {@link LoginRequirements}
   * @param mayReplayPost whether the route allows us to save a POST and repeat it after the login
   */
  public EdgeReply answer(SpRealm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    if (request.method().equals("GET") && request.isNavigation()) {
      return login.begin(realm, request, loginRequest(realm, ReturnTarget.of(request), route));
    }
    return isForm(request) ? conflict(realm, request, route, mayReplayPost) : unauthorized(realm);
  }

  /**
   * The address at which the login begins, at the origin of the request; empty if the request is not a page navigation.
   */
  public Optional<String> address(SpRealm realm, EdgeRequest request, RouteLogin route) {
    return request.method().equals("GET") && request.isNavigation()
        ? Optional.of(request.origin() + LoginEndpoint.link(request.origin(), loginRequest(realm, ReturnTarget.of(request), route)))
        : Optional.empty();
  }

  /** The login request for the route. Most routes have no requirements, and their links stay short. */
  private static LoginRequest loginRequest(SpRealm realm, ReturnTarget target, RouteLogin route) {
    LoginRequest loginRequest = LoginRequest.to(target);
    return LoginRequirements.of(realm.realm(), route).equals(LoginRequirements.ANY) ? loginRequest : loginRequest.of(route);
  }

  /**
   * 401 for scripts. The scheme is the one for sites that log in with a form and a cookie
   * (draft-broyer-http-cookie-auth): RFC 9110, section 11.6.1 requires a challenge, and browsers show no dialog for
   * this scheme.
   */
  static EdgeReply unauthorized(SpRealm realm) {
    return EdgeReply.json(401, new JsonText().text("error", "login-required").text("login", LoginEndpoint.PATH))
        .with(
            "WWW-Authenticate",
            "Cookie realm=\"" + realm.name() + "\", form-action=\"" + LoginEndpoint.PATH + "\", cookie-name="
                + AppCookie.NAME);
  }

  /**
   * Returns whether a page's form may have sent this POST. If the client sends no fetch metadata, the type of the body
   * decides.
   */
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
    Optional<String> kept = mayReplayPost ? savedRequests.keep(realm, request, browser) : Optional.empty();
    String back = kept.map(SavedRequests::page).orElseGet(() -> referer(request));
    String link = LoginEndpoint.link(request.origin(), loginRequest(realm, ReturnTarget.local(request.origin(), back), route));
    Page page = Page.of(409, "login-first", Map.of("login", link, "kept", kept.isPresent()));
    EdgeReply reply = pages.render(request, Optional.of(realm.realm()), page);
    return kept.isPresent() ? browser.rememberedBy(reply, request) : reply;
  }

  /** The page with the form, if the browser sends it and it is on this origin. */
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
