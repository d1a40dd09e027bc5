package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.sp.edge.FormRedirect;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.LocalLogin;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.session.LocalAccount;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

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
  private final LinkPage page;
  private final FormRedirect formRedirect;
  private final SignOnRefusals signOnRefusals;
  private final Refusals refusals;

  public LinkEndpoint(
      Linking linking,
      LocalLogin login,
      AppSessionOpening opening,
      ReturnRedirect returnRedirect,
      LinkPage page,
      FormRedirect formRedirect,
      SignOnRefusals signOnRefusals,
      Refusals refusals) {
    this.linking = linking;
    this.login = login;
    this.opening = opening;
    this.returnRedirect = returnRedirect;
    this.page = page;
    this.formRedirect = formRedirect;
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
        .map(link -> page.form(realm, request, key, link, 200, "", Optional.empty()))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply prove(SpRealm realm, EdgeRequest request) {
    Parameters form = request.formParameters();
    String key = form.one("key").orElse("");
    Optional<PendingLink> link = linking.find(realm, request, key);
    if (!Linking.isFormOf(realm, request, key)) {
      return refusals.page(realm, request, 403, "cross-site");
    }
    if (link.isEmpty()) {
      return refusals.page(realm, request, 403, "expired");
    }
    String name = form.one("username").orElse("");
    LocalLogin.Attempt attempt =
        new LocalLogin.Attempt(realm, "link", request.client(), new GuessSource.Stranger(request.client()), name);
    return switch (login.prove(attempt, form.one("password").orElse("").getBytes(StandardCharsets.UTF_8))) {
      case LocalLogin.Outcome.Proved(LocalAccount account) -> enter(realm, request, key, link.get(), account);
      case LocalLogin.Outcome.Refused refused ->
          page.form(realm, request, key, link.get(), 403, name, Optional.of("link.wrong"));
      case LocalLogin.Outcome.MustChange must ->
          page.form(realm, request, key, link.get(), 403, name, Optional.of("link.must-change"));
      case LocalLogin.Outcome.SecondFactorNeeded needed ->
          page.form(realm, request, key, link.get(), 403, name, Optional.of("link.second-factor"));
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
    return switch (opening.openProved(realm, request, link.assertion(), account)) {
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
}
