package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.FormRedirect;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.LocalAccount;
import dev.gatehouse.sp.link.LocalLogin;
import dev.gatehouse.sp.login.IdentityProviderList;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code /.gatehouse/link} at the home origin. A person whom an identity provider has logged in, and who has no linked
 * account here, proves once which account is theirs.
 */
public final class LinkEndpoint {

  static final String PATH = SpPaths.PREFIX + "link";

  private final Linking linking;
  private final LocalLogin login;
  private final AppSessionOpening opening;
  private final ReturnRedirect returnRedirect;
  private final AppSessions sessions;
  private final IdentityProviderList providers;
  private final FormRedirect formRedirect;
  private final Pages pages;
  private final SignOnRefusals signOnRefusals;
  private final Refusals refusals;

  public LinkEndpoint(
      Linking linking,
      LocalLogin login,
      AppSessionOpening opening,
      ReturnRedirect returnRedirect,
      AppSessions sessions,
      IdentityProviderList providers,
      FormRedirect formRedirect,
      Pages pages,
      SignOnRefusals signOnRefusals,
      Refusals refusals) {
    this.linking = linking;
    this.login = login;
    this.opening = opening;
    this.returnRedirect = returnRedirect;
    this.sessions = sessions;
    this.providers = providers;
    this.formRedirect = formRedirect;
    this.pages = pages;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    return switch (request.method()) {
      case "GET" -> show(realm, request);
      case "POST" -> prove(realm, request);
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private EdgeReply show(SpRealm realm, EdgeRequest request) {
    String key = request.queryParameters().one("key").orElse("");
    return linking
        .find(realm, request, key)
        .map(link -> form(realm, request, key, link, 200, "", Optional.empty()))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply prove(SpRealm realm, EdgeRequest request) {
    Parameters form = request.formParameters();
    String key = form.one("key").orElse("");
    Optional<PendingLink> link = linking.find(realm, request, key);
    if (!SameOrigin.sent(request) || !Digests.equal(form.one("csrf").orElse(""), csrf(realm, request, key))) {
      return refusals.page(realm, request, 403, "cross-site");
    }
    if (link.isEmpty()) {
      return refusals.page(realm, request, 403, "expired");
    }
    String name = form.one("username").orElse("");
    return switch (login.prove(realm, request, name, form.one("password").orElse(""))) {
      case LocalLogin.Outcome.Proved(LocalAccount account) -> enter(realm, request, key, link.get(), account);
      case LocalLogin.Outcome.Refused refused ->
          form(realm, request, key, link.get(), 403, name, Optional.of("link.wrong"));
      case LocalLogin.Outcome.MustChange must ->
          form(realm, request, key, link.get(), 403, name, Optional.of("link.must-change"));
      case LocalLogin.Outcome.SecondFactorNeeded needed ->
          form(realm, request, key, link.get(), 403, name, Optional.of("link.second-factor"));
      case LocalLogin.Outcome.Throttled(var retryAfter) ->
          refusals
              .page(realm, request, 429, "too-many-tries")
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
    };
  }

  private EdgeReply enter(SpRealm realm, EdgeRequest request, String key, PendingLink link, LocalAccount account) {
    if (!linking.take(key)) {
      return refusals.page(realm, request, 403, "expired");
    }
    return switch (opening.openProved(realm, request, link.assertion(), account, session(realm, request))) {
      case Result.Refused(SamlRefusal refusal) -> {
        String partner = link.assertion().identityProvider();
        yield SignOnRefusals.isOfLinks(refusal)
            ? signOnRefusals.notLinked(realm, request, partner, SignOnRefusals.Again.ELSEWHERE, refusal)
            : refusals.message(realm, request, partner, "Response", refusal);
      }
      case Result.Accepted(AppSessionOpening.Opened opened) -> {
        EdgeReply reply = returnRedirect.redirect(realm, link.target(), opened.session().id());
        yield formRedirect.page(realm, request, opened.rememberedBy(reply, request));
      }
    };
  }

  private EdgeReply form(
      SpRealm realm,
      EdgeRequest request,
      String key,
      PendingLink link,
      int status,
      String name,
      Optional<String> wrong) {
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("action", PATH);
    model.put("key", key);
    model.put("csrf", csrf(realm, request, key));
    model.put(
        "provider",
        providers.name(realm, Pages.language(request), link.assertion().identityProvider()));
    model.put("remote", remoteName(link.assertion()));
    model.put("name", name);
    model.put("wrong", wrong);
    return pages.render(request, Optional.of(realm.realm()), Page.of(status, "link", model));
  }

  /** The name of the remote account, in words that the person can recognise, so that they see what they link. */
  private static Optional<String> remoteName(VerifiedAssertion assertion) {
    return Stream.of("displayName", "cn", "eduPersonPrincipalName", "mail", "uid")
        .map(attribute -> assertion.attributes().getOrDefault(attribute, List.of()))
        .flatMap(List::stream)
        .findFirst();
  }

  private static String csrf(SpRealm realm, EdgeRequest request, String key) {
    return BrowserKey.of(realm, request).map(browser -> Linking.csrf(browser, key)).orElse("-");
  }

  private Optional<AppSession> session(SpRealm realm, EdgeRequest request) {
    return request
        .cookie(Cookies.name(request.origin(), SpPaths.COOKIE))
        .flatMap(SessionToken::parse)
        .flatMap(token -> sessions.load(realm.name(), token));
  }
}
