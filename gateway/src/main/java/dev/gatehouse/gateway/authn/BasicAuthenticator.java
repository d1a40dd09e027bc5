package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.AuthnRequirement;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.signon.BasicCredentials;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.local.LocalSignOn;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Authenticates a request to a route whose contract is HTTP Basic. A name and a password, if sent, identify the person;
 * otherwise the session cookie does. The event loop only computes a digest and looks into the cache; the directory is
 * asked on a virtual thread.
 */
public final class BasicAuthenticator {

  private final AuthnServices services;
  private final VerifiedPasswords passwords;
  private final TrafficGuard traffic;
  private final DecisionMemo memo;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final SignOnContract.Basic contract;
  private final Optional<SessionToken> cookie;
  private final Rule rule;

  /** The route's rule, and whether it takes a session from where a request comes. */
  public interface Rule {
    Decision decide(AppSession session);

    /** Goes on in the one way if the request comes from the device of the session's login, or need not, else in the other. */
    AuthnResult assured(SessionId token, AppSession session, Supplier<AuthnResult> same, Supplier<AuthnResult> elsewhere);
  }

  public BasicAuthenticator(
      AuthnServices services,
      TrafficGuard traffic,
      DecisionMemo memo,
      AddressedHost to,
      String route,
      SignOnContract.Basic contract,
      Optional<SessionToken> cookie,
      Rule rule) {
    this.services = services;
    this.passwords = services.passwords();
    this.traffic = traffic;
    this.memo = memo;
    this.to = to;
    this.realm = to.site().realm();
    this.route = route;
    this.contract = contract;
    this.cookie = cookie;
    this.rule = rule;
  }

  public AuthnResult enter(RequestHead head) {
    return switch (BasicCredentials.of(head.fields())) {
      case BasicCredentials.Nothing nothing -> cookie.map(this::byCookie).orElseGet(this::challenge);
      case BasicCredentials.Unreadable unreadable -> refuse(401, "CREDENTIALS_UNREADABLE", "password-refused");
      case BasicCredentials.Sent credentials -> sent(credentials, passwords.find(realm, contract, credentials));
    };
  }

  private AuthnResult sent(BasicCredentials.Sent credentials, VerifiedPasswords.Known known) {
    if (known.session().isEmpty()) {
      return known.hasEntry() ? verify(credentials, known, false) : admit(credentials, known);
    }
    return find(
        known.session().get(),
        session -> byPassword(credentials, known, session),
        () -> {
          passwords.forget(known);
          return admit(credentials, known);
        });
  }

  private AuthnResult find(SessionId id, Function<AppSession, AuthnResult> found, Supplier<AuthnResult> gone) {
    return services.find(realm.name(), id, found, gone);
  }

  /** The cookie alone may be stolen, of a session of another route too; a password with it is a login of its own. */
  private AuthnResult byCookie(SessionToken token) {
    SessionId id = memo.id(token);
    return find(id, session -> rule.assured(id, session, () -> byCookie(session), this::challenge), this::challenge);
  }

  private AuthnResult byCookie(AppSession session) {
    Decision decision = rule.decide(session);
    return decision instanceof Decision.Challenge
        ? challenge()
        : memo.decided(decision, session.person().value());
  }

  private AuthnResult byPassword(BasicCredentials.Sent credentials, VerifiedPasswords.Known known, AppSession session) {
    Decision decision = rule.decide(session);
    if (isTooOld(decision)) {
      // The session is too old for the route; the credentials of this request may open a new one at once.
      return verify(credentials, known, true);
    }
    if (decision instanceof Decision.Challenge) {
      return tooWeak(session, route);
    }
    List<HeaderEdits.Edit> cookies =
        memo.issuedCookie().isFor(session.id())
            ? List.of()
            : passwords.token(realm, credentials, known).map(token -> issueCookie(session, token)).orElse(List.of());
    return new AuthnResult.Decided(decision, session.person().value(), cookies);
  }

  /** Verifies the credentials of a person who has no session. */
  private AuthnResult admit(BasicCredentials.Sent credentials, VerifiedPasswords.Known known) {
    Optional<Refusal> full = traffic.newcomer(route);
    return full.isPresent()
        ? new AuthnResult.Refused(full.get(), Refusals.NOBODY)
        : verify(credentials, known, false);
  }

  private AuthnResult verify(BasicCredentials.Sent credentials, VerifiedPasswords.Known known, boolean anew) {
    return new AuthnResult.Blocked<>(
        () -> passwords.verify(realm, to.client(), to.origin(), credentials, known, cookie, anew),
        verified -> verified(credentials, known, anew, verified));
  }

  private AuthnResult verified(
      BasicCredentials.Sent credentials,
      VerifiedPasswords.Known known,
      boolean anew,
      VerifiedPasswords.Verified verified) {
    return switch (verified.outcome()) {
      case Outcome.Open(AppSession session, boolean fresh) -> {
        Decision decision = rule.decide(session);
        if (isTooOld(decision)) {
          // A continued session may be too old for the route.
          yield fresh || anew ? challenge() : verify(credentials, known, true);
        }
        if (decision instanceof Decision.Challenge) {
          yield tooWeak(session, route);
        }
        List<HeaderEdits.Edit> cookies = verified.token().map(token -> issueCookie(session, token)).orElse(List.of());
        yield new AuthnResult.Decided(decision, session.person().value(), cookies);
      }
      case Outcome.Refused(var reason) -> refused(reason);
      case Outcome.CertificateRefused(String reason) ->
          throw new IllegalStateException("no certificate was presented");
      case Outcome.Throttled(var retryAfter) ->
          new AuthnResult.Refused(Refusal.tooManyTries(route, retryAfter), Refusals.NOBODY);
      case Outcome.Unavailable unavailable ->
          new AuthnResult.Refused(Refusal.unavailable(Outage.DIRECTORY, route), Refusals.NOBODY);
    };
  }

  private AuthnResult refused(LocalSignOn.Reason reason) {
    String name = reason.name();
    return switch (reason) {
      case CREDENTIALS_REFUSED -> refuse(401, name, "password-refused");
      case PASSWORD_MUST_CHANGE -> refuse(403, name, "password-must-change");
      case SECOND_FACTOR_NEEDED -> refuse(403, name, "second-factor-needed");
    };
  }

  /** Returns whether a newer session of the same person would satisfy the rule. */
  static boolean isTooOld(Decision decision) {
    return decision instanceof Decision.Challenge challenge && challenge.need() instanceof AuthnRequirement.LoginAnew;
  }

  /**
   * Refuses the request. A challenge would repeat forever, because neither a password nor a certificate ever yields a
   * stronger authentication.
   */
  static AuthnResult tooWeak(AppSession session, String route) {
    return new AuthnResult.Refused(
        Refusal.signOn(403, "denied", Reason.AUTHENTICATION_TOO_WEAK.name(), route), session.person().value());
  }

  /** Returns the session cookie for the response, unless the browser sent it with the request. */
  private List<HeaderEdits.Edit> issueCookie(AppSession session, SessionToken token) {
    memo.issuedCookie().remember(session.id());
    if (cookie.filter(token::equals).isPresent()) {
      return List.of();
    }
    String value = Cookies.set(to.origin(), AppCookie.NAME, token.value());
    return List.of(new HeaderEdits.Edit("Set-Cookie", value));
  }

  /**
   * Answers 401 without redirecting to a login page: the client asks the person for the password and repeats the
   * request.
   */
  private AuthnResult challenge() {
    memo.issuedCookie().forget();
    return new AuthnResult.Challenged(
        EdgeReply.json(401, new JsonText().text("error", "password-required")).with("WWW-Authenticate", wwwAuthenticate()));
  }

  private AuthnResult refuse(int status, String reason, String page) {
    Refusal refusal = Refusal.signOn(status, page, reason, route);
    return new AuthnResult.Refused(status == 401 ? refusal.challenging(wwwAuthenticate()) : refusal, Refusals.NOBODY);
  }

  private String wwwAuthenticate() {
    return "Basic realm=\"" + realm.name() + "\", charset=\"UTF-8\"";
  }
}
