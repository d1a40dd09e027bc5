package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.admin.PersonLogins.CodeRedemption;
import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.admin.PersonLogins.Provider;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.LoginTooOld;
import dev.gatehouse.gateway.admin.web.SavedForm;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Logs administrators in as people, at the OpenID provider of their realm (OpenID Connect Core 3.1). A response counts in the browser
 * that began the login, with its state, its nonce and its code verifier, and from that provider (RFC 9207).
 */
final class PersonLoginEndpoint {

  private static final String MESSAGE = "administration";

  private final AdministratorPeople people;
  private final PendingLogins pendings;
  private final AdminSessions sessions;
  private final FirstAdministrator first;
  private final AdminAudit audit;
  private final RefusalLog refusals;
  private final ConsolePages pages;
  private final InstantSource time;

  PersonLoginEndpoint(
      AdministratorPeople people,
      PendingLogins pendings,
      AdminSessions sessions,
      FirstAdministrator first,
      AdminAudit audit,
      RefusalLog refusals,
      ConsolePages pages,
      InstantSource time) {
    this.people = people;
    this.pendings = pendings;
    this.sessions = sessions;
    this.first = first;
    this.audit = audit;
    this.refusals = refusals;
    this.pages = pages;
    this.time = time;
  }

  /** {@code GET /console/login/person}: sends the browser to the provider. */
  EdgeReply begin(EdgeRequest request) {
    Optional<AdminLogin> login = people.login();
    if (login.isEmpty() || !request.isGet()) {
      return EdgeReply.seeOther(Address.LOGIN);
    }
    if (!request.origin().host().equals(login.get().publicUrl().host())) {
      // Cookies belong to a host: the login must begin where the provider sends the person back to.
      String query = request.query().isEmpty() ? "" : "?" + request.query();
      return EdgeReply.seeOther(login.get().publicUrl() + request.path() + query);
    }
    Parameters query = request.queryParameters();
    PendingLogin pending =
        pendings.create(
            Address.page(query.one("page").orElse("")), query.one("again").isPresent(), AdminSessions.token(request), Optional.empty());
    return people
        .logins()
        .provider(login.get().realm())
        .map(provider -> pending.authorizationUrl(provider, login.get(), Optional.empty()))
        .map(url -> pendings.keep(EdgeReply.seeOther(url), pending, isSecure(login.get(), request)))
        .orElseGet(() -> pages.login(request, 503, "person-provider"));
  }

  /** {@code GET /console/login/callback}: takes the provider's response. */
  EdgeReply finish(EdgeRequest request) {
    Optional<AdminLogin> login = people.login();
    if (login.isEmpty() || !request.method().equals("GET")) {
      return EdgeReply.seeOther(Address.LOGIN);
    }
    Parameters response = request.queryParameters();
    Optional<PendingLogin> pending = response.one("state").flatMap(state -> pendings.find(request, state));
    if (pending.isEmpty()) {
      return pages.login(request, 403, "person-state");
    }
    EdgeReply reply;
    try {
      reply = finish(request, response, login.get(), pending.get());
    } catch (AuditUnavailable e) {
      reply = pages.login(request, 503, "unavailable");
    }
    return pendings.forget(reply, isSecure(login.get(), request));
  }

  private EdgeReply finish(EdgeRequest request, Parameters response, AdminLogin login, PendingLogin pending) {
    Optional<String> issuer = people.logins().provider(login.realm()).map(Provider::issuer);
    if (issuer.isEmpty() || !response.one("iss").equals(issuer)) {
      return refuse(request, login, "iss");
    }
    if (response.one("error").isPresent()) {
      return pages.login(request, 403, "person-cancelled");
    }
    CodeRedemption code =
        new CodeRedemption(response.one("code").orElse(""), login.redirectUri(), pending.codeVerifier(), pending.nonce());
    return switch (people.logins().redeem(login.realm(), request, code)) {
      case Result.Refused<PersonLogin, PersonLogins.Refusal>(var refusal) -> refuse(request, login, refusal.name());
      case Result.Accepted<PersonLogin, PersonLogins.Refusal>(var person) -> enter(request, login, pending, person);
    };
  }

  private EdgeReply enter(EdgeRequest request, AdminLogin login, PendingLogin pending, PersonLogin person) {
    boolean recent = !pending.again() || time.instant().isBefore(person.authenticatedAt().plus(LoginTooOld.MAX_AGE));
    if (!recent) {
      return refuse(request, login, "the login is too old");
    }
    Optional<String> refused = pending.setUp().flatMap(claim -> first.grant(claim, person, pending.createdAt()));
    if (refused.isPresent()) {
      return pages.login(request, 403, refused.get());
    }
    Optional<AdminRights> rights = people.rights(request, person);
    if (rights.isEmpty()) {
      refusals.record(
          login.realm(), request.client(), AdministratorPeople.administrator(login.realm(), person.name()), MESSAGE,
          "ADMINISTRATOR_ROLE_MISSING", "no role");
      return pages.login(request, 403, "person-role");
    }
    audit.record(
        AdminRights.NODE, rights.get().administrator(), "console.login", Map.of("administratorId", person.person().value()));
    Optional<SavedForm> saved = pending.replaced().flatMap(before -> sessions.replace(new SessionId(before), person));
    AdminSessions.token(request).ifPresent(sessions::end);
    var token = sessions.begin(person);
    return SessionCookie.ofPerson(pages.goOn(request, pending.page(), saved, token), token, isSecure(login, request));
  }

  private EdgeReply refuse(EdgeRequest request, AdminLogin login, String detail) {
    refusals.record(login.realm(), request.client(), "-", MESSAGE, "ADMINISTRATOR_LOGIN_REFUSED", detail);
    return pages.login(request, 403, "person-refused");
  }

  /** A proxy may speak TLS for this listener. */
  static boolean isSecure(AdminLogin login, EdgeRequest request) {
    return login.publicUrl().isSecure() || request.origin().isSecure();
  }
}
