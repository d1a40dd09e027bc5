package dev.gatehouse.sp.link;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.nameid.ManageNameIdSender.Browser;
import dev.gatehouse.common.nameid.ManageNameIdSender.Sending;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.device.BoundSessions;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.IdentityProviderList;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.nameid.LinkChanges;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /.gatehouse/account} at the home origin. Shows people their local account and the remote accounts that are
 * linked to it. Removes a link on request, and notifies the identity provider (SAML Core 3.6, Terminate).
 */
public final class AccountEndpoint {

  public static final String PATH = SpPaths.PREFIX + "account";

  private static final String FORM = "account";
  private static final String BACK = PATH + "?link=";
  private static final String DELIVERED = "delivered";
  private static final String NOT_DELIVERED = "not-delivered";

  /** A link as displayed to the person. */
  private record Row(String identityProvider, String name, Instant since, boolean thisSession) {}

  private final BoundSessions sessions;
  private final AccountLinks links;
  private final LinkChanges changes;
  private final IdentityProviderList providers;
  private final Pages pages;
  private final Refusals refusals;

  public AccountEndpoint(
      BoundSessions sessions,
      AccountLinks links,
      LinkChanges changes,
      IdentityProviderList providers,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.links = links;
    this.changes = changes;
    this.providers = providers;
    this.pages = pages;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    Optional<SessionToken> token = AppCookie.token(request);
    Optional<AppSession> session = sessions.ofBrowser(realm, request);
    return switch (request.method()) {
      case "GET" ->
          session
              .map(open -> show(realm, request, open, token.orElseThrow()))
              .orElseGet(() -> nobody(realm, request));
      case "POST" ->
          session
              .map(open -> end(realm, request, open, token.orElseThrow()))
              .orElseGet(() -> toLogin(realm));
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  /**
   * A person who removed the link on which the session was based sees the result, and is not sent to log in again at
   * once.
   */
  private EdgeReply nobody(SpRealm realm, EdgeRequest request) {
    return outcome(request)
        .map(outcome -> Page.of(200, "own-account-removed", Map.of("outcome", outcome)))
        .map(page -> pages.render(request, Optional.of(realm.realm()), page))
        .orElseGet(() -> toLogin(realm));
  }

  /** Reads whether the identity provider was notified, from the address to which a removal returns. */
  private static Optional<String> outcome(EdgeRequest request) {
    return request.queryParameters().one("link").filter(List.of(DELIVERED, NOT_DELIVERED)::contains);
  }

  private static EdgeReply toLogin(SpRealm realm) {
    LoginRequest loginRequest = LoginRequest.to(ReturnTarget.local(realm.home(), PATH));
    return EdgeReply.seeOther(LoginEndpoint.link(realm.home(), loginRequest));
  }

  private EdgeReply show(SpRealm realm, EdgeRequest request, AppSession session, SessionToken token) {
    String language = Pages.language(request);
    List<Row> rows =
        links.ofAccount(realm.name(), session.person()).stream()
            .map(
                link ->
                    new Row(
                        link.identityProvider(),
                        providers.name(realm, language, link.identityProvider()),
                        link.since(),
                        isOf(session, link)))
            .toList();
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("action", PATH);
    model.put("csrf", CsrfToken.of(token, FORM));
    model.put("logout", SpPaths.PREFIX + "logout");
    model.put("name", session.account().user());
    model.put("provider", providers.name(realm, language, session.login().identityProvider()));
    model.put("since", session.createdAt());
    model.put("links", rows);
    model.put("outcome", outcome(request));
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "own-account", model));
  }

  private EdgeReply end(SpRealm realm, EdgeRequest request, AppSession session, SessionToken token) {
    Parameters form = request.formParameters();
    if (!CsrfToken.isIn(request, token, FORM)) {
      return refusals.page(realm, request, 403, "cross-site");
    }
    // The form's value can only find links of the person's own account.
    Optional<AccountLink> link =
        form.one("idp").flatMap(idp -> links.ofAccount(realm.name(), idp, session.person()));
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    return link.map(found -> end(context, realm, request, found)).orElseGet(() -> EdgeReply.seeOther(PATH));
  }

  /** The link has ended here, whether or not the identity provider could be notified. */
  private EdgeReply end(AuditEvent.Context context, SpRealm realm, EdgeRequest request, AccountLink link) {
    Browser browser = new Browser(request, realm.home() + BACK);
    return switch (changes.disconnect(context, realm.realm(), realm.sp(), link, "person", Optional.of(browser))) {
      case Sending.Answered(SamlStatus status) -> EdgeReply.seeOther(BACK + (status.isSuccess() ? DELIVERED : NOT_DELIVERED));
      case Sending.ByBrowser(EdgeReply carrying) -> carrying;
      case Sending.NotDelivered notDelivered -> EdgeReply.seeOther(BACK + NOT_DELIVERED);
    };
  }

  private static boolean isOf(AppSession session, AccountLink link) {
    return session.login().identityProvider().equals(link.identityProvider())
        && session.login().nameId().value().equals(link.nameId());
  }
}
