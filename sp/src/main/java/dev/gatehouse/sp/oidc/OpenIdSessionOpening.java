package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.SubjectClaims;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.device.DeviceLogin;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.idtoken.UserName;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Opens the AppSession of a verified and consumed login. The login is recorded in the audit log before the token is
 * sent.
 */
public final class OpenIdSessionOpening {

  private final ReturnRedirect returnRedirect;
  private final AppSessions sessions;
  private final OpenIdLogouts logouts;
  private final SavedIdTokens idTokens;
  private final OpenIdRefusals signOnRefusals;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;

  public OpenIdSessionOpening(
      ReturnRedirect returnRedirect,
      AppSessions sessions,
      OpenIdLogouts logouts,
      SavedIdTokens idTokens,
      OpenIdRefusals signOnRefusals,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random) {
    this.returnRedirect = returnRedirect;
    this.sessions = sessions;
    this.logouts = logouts;
    this.idTokens = idTokens;
    this.signOnRefusals = signOnRefusals;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  EdgeReply enter(
      SpRealm realm, EdgeRequest request, OpenIdLogin login, ProviderConfig provider, PendingRequest pending) {
    if (logouts.cover(realm.name(), login.token())) {
      return loggedOut(realm, request, pending);
    }
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    SessionToken token = SessionToken.create(random);
    AppSession session =
        session(realm, login, provider, token.id()).on(DeviceLogin.device(realm, request, token.id(), time.instant()));
    audit.record(
        new AuditEvent.AssertionAccepted(
            context, provider.issuer(), login.token().id(), session.person().value(), session.id().value()));
    sessions.ofBrowser(realm.name(), request).ifPresent(before -> sessions.end(before.id(), "replaced", context));
    idTokens.keep(session, login.token());
    sessions.open(session);
    if (logouts.cover(realm.name(), login.token())) {
      // The provider's logout came between the first check and the creation of the session; its handler may not have
      // seen the session.
      sessions.end(session.id(), "partner", context);
      return loggedOut(realm, request, pending);
    }
    return AppCookie.set(returnRedirect.redirect(realm, pending.target(), session.id()), request.origin(), token);
  }

  private EdgeReply loggedOut(SpRealm realm, EdgeRequest request, PendingRequest pending) {
    OpenIdRefusal refusal = new OpenIdRefusal(Reason.LOGGED_OUT, "the provider has ended that session meanwhile");
    return signOnRefusals.afterwards(realm, request, pending, refusal);
  }

  private AppSession session(SpRealm realm, OpenIdLogin login, ProviderConfig provider, SessionId id) {
    VerifiedIdToken token = login.token();
    ProviderTrust trust = ProviderTrust.ofProvider(realm.realm(), provider);
    Instant now = time.instant();
    LocalAccount account = account(provider, trust, token.subject(), login.claims());
    AppSession.Login authentication =
        new AppSession.Login(
            provider.issuer(),
            AppSessions.openIdSubject(token.subject()),
            token.session(),
            trust.authnContext(token.authentication().acr()),
            // Without auth_time no maximum age can be met. If a fresh login was requested, auth_time is mandatory
            // (max_age).
            token.authentication().time().map(at -> at.isAfter(now) ? now : at).orElse(Instant.EPOCH));
    return new AppSession(
        id, realm.name(), Lifetime.beginning(now, realm.sp().session()), account, authentication);
  }

  /** The account of a person, by the claims that count. */
  static LocalAccount account(ProviderConfig provider, ProviderTrust trust, String subject, ClaimValues stated) {
    SubjectClaims names = provider.claims();
    ClaimValues claims = stated.counting(trust, names);
    return new LocalAccount(
        // By sub, the only claim that is permanent and unique for the person (OpenID Connect Core 5.7).
        AppSession.personId(provider.issuer(), subject),
        UserName.of(claims, names.user(), provider.issuer(), subject, trust),
        claims.values(names.roles()),
        claims.values(names.groups()),
        attributes(claims));
  }

  /** The attributes, by the names under which routes inject them. */
  private static Map<String, List<String>> attributes(ClaimValues claims) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    claims.byName().forEach((name, values) -> attributes.putIfAbsent(AttributeName.plain(name), values));
    return Map.copyOf(attributes);
  }
}
