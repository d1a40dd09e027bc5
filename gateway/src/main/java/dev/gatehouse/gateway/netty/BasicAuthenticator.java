package dev.gatehouse.gateway.netty;

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
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.signon.BasicCredentials;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * A request to a route whose contract is HTTP Basic. Name and password, where there are any, say who asks, else the session's
 * cookie does. On the event loop there is a digest and a look at what is remembered; the directory is asked on a virtual thread.
 */
final class BasicAuthenticator {

  /** How the exchange goes on; one of these is called, on the event loop. */
  interface Next {

    /** What the route's rule says to the session. */
    Decision decide(AppSession session);

    void challenge(EdgeReply reply);

    void deny(Refusal refusal, String person);

    /** @param cookies for the answer */
    void apply(Decision decision, String person, List<HeaderEdits.Edit> cookies);

    /** Does what blocks, and comes back. */
    <T> void look(Callable<T> work, Consumer<T> then);
  }

  private final AppSessionCache sessions;
  private final VerifiedPasswords passwords;
  private final TrafficGuard traffic;
  private final IssuedSessionCookie told;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final SignOnContract.Basic contract;
  private final Optional<SessionToken> cookie;
  private final Next next;

  BasicAuthenticator(
      ExchangeServices services,
      IssuedSessionCookie told,
      AddressedHost to,
      String route,
      SignOnContract.Basic contract,
      Optional<SessionToken> cookie,
      Next next) {
    this.sessions = services.sessions();
    this.passwords = services.passwords();
    this.traffic = services.traffic();
    this.told = told;
    this.to = to;
    this.realm = to.site().realm();
    this.route = route;
    this.contract = contract;
    this.cookie = cookie;
    this.next = next;
  }

  void enter(RequestHead head) {
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
                  if (known.isSomebody()) {
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
          next.look(() -> sessions.load(realm.name(), id), loaded -> loaded.ifPresentOrElse(found, gone));
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
      // The session is too old for the route; what came with the request may open another one at once.
      verify(credentials, known, true);
      return;
    }
    if (decision instanceof Decision.Challenge) {
      tooWeak(session);
      return;
    }
    List<HeaderEdits.Edit> cookies =
        told.knows(session.id())
            ? List.of()
            : passwords.token(realm, credentials, known).map(token -> tell(session, token)).orElse(List.of());
    next.apply(decision, session.person().value(), cookies);
  }

  /** Of somebody who has no session. */
  private void admit(BasicCredentials.Sent credentials, VerifiedPasswords.Known known) {
    Optional<Refusal> full = traffic.newcomer(route);
    if (full.isPresent()) {
      next.deny(full.get(), Refusals.NOBODY);
    } else {
      verify(credentials, known, false);
    }
  }

  private void verify(BasicCredentials.Sent credentials, VerifiedPasswords.Known known, boolean anew) {
    next.look(
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
            // The session that went on is too old for the route.
            verify(credentials, known, true);
          }
        } else if (decision instanceof Decision.Challenge) {
          tooWeak(session);
        } else {
          List<HeaderEdits.Edit> cookies = verified.token().map(token -> tell(session, token)).orElse(List.of());
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
          throw new IllegalStateException("nobody showed a certificate");
      case Outcome.Throttled(var retryAfter) ->
          next.deny(Refusal.tooManyTries(route, retryAfter), Refusals.NOBODY);
      case Outcome.Unavailable unavailable -> next.deny(Refusal.directoryUnavailable(route), Refusals.NOBODY);
    }
  }

  /** Whether another session of the same person would do. */
  static boolean isTooOld(Decision decision) {
    return decision instanceof Decision.Challenge challenge && challenge.need() instanceof AuthnRequirement.LoginAnew;
  }

  /** No password is ever more than a password: to ask for it again would be asking for ever. */
  private void tooWeak(AppSession session) {
    next.deny(
        Refusal.signOn(403, "denied", Reason.AUTHENTICATION_TOO_WEAK.name(), route), session.person().value());
  }

  /** The session's cookie for the answer, where the browser has not brought it. */
  private List<HeaderEdits.Edit> tell(AppSession session, SessionToken token) {
    told.tell(session.id());
    if (cookie.filter(token::equals).isPresent()) {
      return List.of();
    }
    String value = Cookies.set(to.origin(), ServiceProvider.COOKIE, token.value());
    return List.of(new HeaderEdits.Edit("Set-Cookie", value));
  }

  /** 401 without a page's redirect: the client asks its person, and comes again. */
  private void challenge() {
    told.forget();
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
