package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SignOnContract;
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
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Authenticates a request to a route whose contract is HTTP Basic. A name and a password, if sent, identify the person;
 * otherwise the session cookie does. The event loop only computes a digest and looks into the cache; the directory is
 * asked on a virtual thread.
 */
public final class BasicAuthenticator {

  /** The continuation of the exchange: exactly one of these methods is called, on the event loop. */
  public interface Next {

    /** Decides the route's rule for the session. */
    Decision decide(AppSession session);

    void challenge(EdgeReply reply);

    void deny(Refusal refusal, String person);

    /**
     * Applies a decision.
     *
     * @param cookies are added to the response
     */
    void apply(Decision decision, String person, List<HeaderEdits.Edit> cookies);

    /** Runs a blocking task on a virtual thread and passes its result to {@code then} on the event loop. */
    <T> void runBlocking(Callable<T> work, Consumer<T> then);
  }

  private final AppSessionCache sessions;
  private final VerifiedPasswords passwords;
  private final TrafficGuard traffic;
  private final IssuedSessionCookie issued;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final SignOnContract.Basic contract;
  private final Optional<SessionToken> cookie;
  private final Next next;

  public BasicAuthenticator(
      AuthnServices services,
      TrafficGuard traffic,
      IssuedSessionCookie issued,
      AddressedHost to,
      String route,
      SignOnContract.Basic contract,
      Optional<SessionToken> cookie,
      Next next) {
    this.sessions = services.sessions();
    this.passwords = services.passwords();
    this.traffic = traffic;
    this.issued = issued;
    this.to = to;
    this.realm = to.site().realm();
    this.route = route;
    this.contract = contract;
    this.cookie = cookie;
    this.next = next;
  }

  public void enter(RequestHead head) {
    switch (BasicCredentials.of(head.fields())) {
      case BasicCredentials.Nothing nothing ->
          cookie.ifPresentOrElse(
              token -> find(token.id(), this::byCookie, this::challenge), this::challenge);
      case BasicCredentials.Unreadable unreadable -> deny(401, "CREDENTIALS_UNREADABLE", "password-refused");
      case BasicCredentials.Sent credentials -> {
        VerifiedPasswords.Known known = passwords.find(realm, contract, credentials);
        known
            .session()
            .ifPresentOrElse(
                id ->
                    find(
                        id,
                        session -> byPassword(credentials, known, session),
                        () -> {
                          passwords.forget(known);
                          admit(credentials, known);
                        }),
                () -> {
                  if (known.hasEntry()) {
                    verify(credentials, known, false);
                  } else {
                    admit(credentials, known);
                  }
                });
      }
    }
  }

  private void find(SessionId id, Consumer<AppSession> found, Runnable gone) {
    switch (sessions.peek(realm.name(), id)) {
      case Peek.Hit(AppSession session) -> found.accept(session);
      case Peek.None none -> gone.run();
      case Peek.Miss miss ->
          next.runBlocking(() -> sessions.load(realm.name(), id), loaded -> loaded.ifPresentOrElse(found, gone));
    }
  }

  private void byCookie(AppSession session) {
    Decision decision = next.decide(session);
    if (decision instanceof Decision.Challenge) {
      challenge();
    } else {
      next.apply(decision, session.person().value(), List.of());
    }
  }

  private void byPassword(BasicCredentials.Sent credentials, VerifiedPasswords.Known known, AppSession session) {
    Decision decision = next.decide(session);
    if (isTooOld(decision)) {
      // The session is too old for the route; the credentials of this request may open a new one at once.
      verify(credentials, known, true);
      return;
    }
    if (decision instanceof Decision.Challenge) {
      tooWeak(session);
      return;
    }
    List<HeaderEdits.Edit> cookies =
        issued.isFor(session.id())
            ? List.of()
            : passwords.token(realm, credentials, known).map(token -> issueCookie(session, token)).orElse(List.of());
    next.apply(decision, session.person().value(), cookies);
  }

  /** Verifies the credentials of a person who has no session. */
  private void admit(BasicCredentials.Sent credentials, VerifiedPasswords.Known known) {
    Optional<Refusal> full = traffic.newcomer(route);
    if (full.isPresent()) {
      next.deny(full.get(), Refusals.NOBODY);
    } else {
      verify(credentials, known, false);
    }
  }

  private void verify(BasicCredentials.Sent credentials, VerifiedPasswords.Known known, boolean anew) {
    next.runBlocking(
        () -> passwords.verify(realm, to.client(), to.origin(), credentials, known, cookie, anew),
        verified -> verified(credentials, known, anew, verified));
  }

  private void verified(
      BasicCredentials.Sent credentials,
      VerifiedPasswords.Known known,
      boolean anew,
      VerifiedPasswords.Verified verified) {
    switch (verified.outcome()) {
      case Outcome.Open(AppSession session, boolean fresh) -> {
        Decision decision = next.decide(session);
        if (isTooOld(decision)) {
          if (fresh || anew) {
            challenge();
          } else {
            // The continued session is too old for the route.
            verify(credentials, known, true);
          }
        } else if (decision instanceof Decision.Challenge) {
          tooWeak(session);
        } else {
          List<HeaderEdits.Edit> cookies = verified.token().map(token -> issueCookie(session, token)).orElse(List.of());
          next.apply(decision, session.person().value(), cookies);
        }
      }
      case Outcome.Refused(var reason) -> {
        switch (reason) {
          case CREDENTIALS_REFUSED -> deny(401, reason.name(), "password-refused");
          case PASSWORD_MUST_CHANGE -> deny(403, reason.name(), "password-must-change");
          case SECOND_FACTOR_NEEDED -> deny(403, reason.name(), "second-factor-needed");
        }
      }
      case Outcome.CertificateRefused(String reason) ->
          throw new IllegalStateException("no certificate was presented");
      case Outcome.Throttled(var retryAfter) ->
          next.deny(Refusal.tooManyTries(route, retryAfter), Refusals.NOBODY);
      case Outcome.Unavailable unavailable -> next.deny(Refusal.directoryUnavailable(route), Refusals.NOBODY);
    }
  }

  /** Whether a newer session of the same person would satisfy the rule. */
  static boolean isTooOld(Decision decision) {
    return decision instanceof Decision.Challenge challenge && challenge.need() instanceof AuthnRequirement.LoginAnew;
  }

  /**
   * Refuses the request. A challenge would repeat forever, because a password never yields a stronger authentication.
   */
  private void tooWeak(AppSession session) {
    next.deny(
        Refusal.signOn(403, "denied", Reason.AUTHENTICATION_TOO_WEAK.name(), route), session.person().value());
  }

  /** Returns the session cookie for the response, unless the browser sent it with the request. */
  private List<HeaderEdits.Edit> issueCookie(AppSession session, SessionToken token) {
    issued.remember(session.id());
    if (cookie.filter(token::equals).isPresent()) {
      return List.of();
    }
    String value = Cookies.set(to.origin(), SpPaths.COOKIE, token.value());
    return List.of(new HeaderEdits.Edit("Set-Cookie", value));
  }

  /**
   * Answers 401 without redirecting to a login page: the client asks the person for the password and repeats the
   * request.
   */
  private void challenge() {
    issued.forget();
    next.challenge(
        EdgeReply.json(401, "{\"error\":\"password-required\"}").with("WWW-Authenticate", wwwAuthenticate()));
  }

  private void deny(int status, String reason, String page) {
    Refusal refusal = Refusal.signOn(status, page, reason, route);
    next.deny(status == 401 ? refusal.challenging(wwwAuthenticate()) : refusal, Refusals.NOBODY);
  }

  private String wwwAuthenticate() {
    return "Basic realm=\"" + realm.name() + "\", charset=\"UTF-8\"";
  }
}
