package dev.gatehouse.sp.acs;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.device.DeviceLogin;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.Linker;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Consumes a verified login and opens its AppSession. The steps in order: mark the pending request as answered, mark
 * the assertion as used, record the audit event, open the session. The caller has already matched the login to its
 * browser.
 */
public final class AppSessionOpening {

  /** A new session and the token for its browser. */
  record Opened(SessionToken token, AppSession session) {

    EdgeReply rememberedBy(EdgeReply reply, EdgeRequest request) {
      return AppCookie.set(reply, request.origin(), token);
    }
  }

  private final LoginConsumption consumption;
  private final Linker linker;
  private final AppSessions sessions;
  private final AssertedPassword password;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;

  AppSessionOpening(
      LoginConsumption consumption,
      Linker linker,
      AppSessions sessions,
      AssertedPassword password,
      AuditLog audit,
      InstantSource time,
      RandomGenerator random) {
    this.consumption = consumption;
    this.linker = linker;
    this.sessions = sessions;
    this.password = password;
    this.audit = audit;
    this.time = time;
    this.random = random;
  }

  /**
   * Consumes the login, links the account if necessary, and opens its session. Ends the session that this browser has now.
   *
   * @param linkFirst whether the account was matched by an attribute and is not linked yet
   */
  Result<Opened, SamlRefusal> open(
      SpRealm realm,
      EdgeRequest request,
      RecognisedLogin login,
      LocalAccount account,
      boolean linkFirst) {
    VerifiedAssertion assertion = login.assertion();
    return consumption.refusal(realm, login)
        .or(() -> linkFirst ? link(realm, request, assertion, account, "attribute") : Optional.empty())
        .<Result<Opened, SamlRefusal>>map(Result.Refused::new)
        .orElseGet(() -> opened(realm, request, assertion, account));
  }

  private Result<Opened, SamlRefusal> opened(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account) {
    Opened opened = mint(realm, request, assertion, account);
    Optional<SamlRefusal> ended = consumption.loggedOut(realm, assertion);
    if (ended.isPresent()) {
      // The LogoutRequest came between the first check and the creation of the session; its handler may not have seen
      // the session.
      sessions.end(opened.session().id(), "partner", AuditEvent.Context.of(realm.name(), request.client()));
      return new Result.Refused<>(ended.get());
    }
    return new Result.Accepted<>(opened);
  }

  /** Links the account that the person has just proved, and opens its session. The login was consumed before. */
  Result<Opened, SamlRefusal> openProved(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account) {
    return consumption.ended(realm, assertion)
        .or(() -> link(realm, request, assertion, account, "login"))
        .<Result<Opened, SamlRefusal>>map(Result.Refused::new)
        .orElseGet(() -> opened(realm, request, assertion, account));
  }

  private Optional<SamlRefusal> link(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, LocalAccount account, String by) {
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    return linker.link(context, assertion.identityProvider(), assertion.asserted().nameId().value(), account, by);
  }

  private Opened mint(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      LocalAccount account) {
    SessionToken token = SessionToken.create(random);
    Instant now = time.instant();
    AppSession session =
        SessionMaker.session(realm, assertion, account, token.id(), now).on(DeviceLogin.device(realm, request, token.id(), now));
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    audit.record(
        new AuditEvent.AssertionAccepted(
            context,
            assertion.identityProvider(),
            assertion.id(),
            session.person().value(),
            session.id().value()));
    sessions.ofBrowser(realm.name(), request).ifPresent(old -> sessions.end(old.id(), "replaced", context));
    sessions.open(session);
    password.opened(assertion).ifPresent(typed -> sessions.passwords().keep(session, token, typed, random));
    return new Opened(token, session);
  }

}
