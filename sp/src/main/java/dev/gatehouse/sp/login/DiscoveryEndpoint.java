package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.sp.edge.FormRedirect;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /.gatehouse/discovery} at the home origin. Asks the person for the identity provider of a login (SAML Profiles
 * 4.1.3.2). GET shows the list and searches it, POST makes the choice. A browser cookie stores the choice, which the
 * page then offers first. The page is skipped only if the person asked for that.
 */
public final class DiscoveryEndpoint {

  static final String PATH = SpPaths.PREFIX + "discovery";

  private static final int LONGEST_SEARCH = 100;

  private final IdentityProviderList list;
  private final IdentityProviderChoice choice;
  private final PendingRequests pendings;
  private final LoginStart start;
  private final FormRedirect formRedirect;
  private final Pages pages;
  private final Refusals refusals;

  public DiscoveryEndpoint(
      IdentityProviderList list,
      IdentityProviderChoice choice,
      PendingRequests pendings,
      LoginStart start,
      FormRedirect formRedirect,
      Pages pages,
      Refusals refusals) {
    this.list = list;
    this.choice = choice;
    this.pendings = pendings;
    this.start = start;
    this.formRedirect = formRedirect;
    this.pages = pages;
    this.refusals = refusals;
  }

  /** The link to the discovery page for this login. */
  static String link(SpRealm realm, LoginRequest loginRequest) {
    return PATH + "?" + loginRequest.withIdentityProvider(Optional.empty()).query(realm.home());
  }

  /** The link to a different choice for the login of this AuthnRequest, in the browser that began it. */
  public static String again(String requestId) {
    return PATH + "?again=" + requestId;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    return switch (request.method()) {
      case "GET" -> show(realm, request);
      case "POST" -> choose(realm, request);
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private EdgeReply show(SpRealm realm, EdgeRequest request) {
    Parameters query = request.queryParameters();
    Optional<String> again = query.one("again");
    if (again.isEmpty()) {
      return show(realm, request, LoginRequest.parse(realm, request, query), query.one("q").orElse(""));
    }
    return pendings
        .loginRequestOf(realm, request, again.get())
        .map(loginRequest -> EdgeReply.seeOther(link(realm, loginRequest.active())))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply show(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, String search) {
    if (loginRequest.requirements(realm).identityProvider().isPresent()) {
      return EdgeReply.seeOther(LoginEndpoint.link(realm.home(), loginRequest));
    }
    String typed = search.length() > LONGEST_SEARCH ? search.substring(0, LONGEST_SEARCH) : search;
    IdentityProviderMemory memory = IdentityProviderMemory.of(request);
    String language = Pages.language(request);
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("action", PATH);
    model.put("wish", loginRequest.withIdentityProvider(Optional.empty()).parameters(realm.home()));
    model.put("search", typed);
    model.put("found", list.find(realm, language, typed, memory.recent(realm)));
    model.put("always", memory.always(realm).map(id -> list.name(realm, language, id)));
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "discovery", model));
  }

  private EdgeReply choose(SpRealm realm, EdgeRequest request) {
    if (!SameOrigin.sent(request)) {
      return refusals.page(realm, request, 403, "cross-site");
    }
    Parameters form = request.formParameters();
    LoginRequest loginRequest = LoginRequest.parse(realm, request, form);
    if (form.one("forget").isPresent()) {
      EdgeReply page = formRedirect.page(realm, request, EdgeReply.seeOther(link(realm, loginRequest)));
      return IdentityProviderMemory.forgottenBy(page, request);
    }
    Optional<String> chosen = loginRequest.identityProvider().filter(id -> choice.isUsable(realm, id));
    if (chosen.isEmpty() || loginRequest.requirements(realm).identityProvider().isPresent()) {
      return show(realm, request, loginRequest, "");
    }
    boolean always = form.one("always").isPresent();
    EdgeReply reply = formRedirect.page(realm, request, start.begin(realm, request, loginRequest, chosen.get()));
    return IdentityProviderMemory.of(request).with(chosen.get(), always).keptBy(reply, request);
  }
}
