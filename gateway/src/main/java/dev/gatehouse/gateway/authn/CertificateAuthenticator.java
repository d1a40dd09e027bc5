package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;

/**
 * Authenticates a request to a route whose contract is a client certificate. Only the certificate of this connection's
 * TLS handshake counts, never one in a header field. No cookie is accepted for such a route, and none is set.
 */
public final class CertificateAuthenticator {

  private final AppSessionCache sessions;
  private final VerifiedCertificates certificates;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final BasicAuthenticator.Next next;

  public CertificateAuthenticator(AuthnServices services, AddressedHost to, String route, BasicAuthenticator.Next next) {
    this.sessions = services.sessions();
    this.certificates = services.certificates();
    this.to = to;
    this.realm = to.site().realm();
    this.route = route;
    this.next = next;
  }

  /** @param chain the certificates that the client proved, its own first; empty if it presented none */
  public void enter(List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      deny("CERTIFICATE_MISSING", "client-certificate-missing");
      return;
    }
    certificates
        .find(realm, chain.getFirst())
        .ifPresentOrElse(
            id -> find(id, session -> known(chain, session), () -> verify(chain, false)), () -> verify(chain, false));
  }

  private void find(SessionId id, Consumer<AppSession> found, Runnable gone) {
    switch (sessions.peek(realm.name(), id)) {
      case Peek.Hit(AppSession session) -> found.accept(session);
      case Peek.None none -> gone.run();
      case Peek.Miss miss ->
          next.runBlocking(() -> sessions.load(realm.name(), id), loaded -> loaded.ifPresentOrElse(found, gone));
    }
  }

  private void known(List<X509Certificate> chain, AppSession session) {
    Decision decision = next.decide(session);
    if (BasicAuthenticator.isTooOld(decision)) {
      verify(chain, true);
    } else if (decision instanceof Decision.Challenge) {
      tooWeak(session);
    } else {
      next.apply(decision, session.person().value(), List.of());
    }
  }

  private void verify(List<X509Certificate> chain, boolean anew) {
    next.runBlocking(
        () -> certificates.verify(realm, to.client(), to.origin(), chain, anew),
        outcome -> verified(chain, anew, outcome));
  }

  private void verified(List<X509Certificate> chain, boolean anew, Outcome outcome) {
    switch (outcome) {
      case Outcome.Open(AppSession session, boolean fresh) -> {
        Decision decision = next.decide(session);
        if (BasicAuthenticator.isTooOld(decision)) {
          if (fresh || anew) {
            deny("SESSION_TOO_OLD", "denied");
          } else {
            // The continued session is too old for the route.
            verify(chain, true);
          }
        } else if (decision instanceof Decision.Challenge) {
          tooWeak(session);
        } else {
          next.apply(decision, session.person().value(), List.of());
        }
      }
      case Outcome.CertificateRefused(String reason) -> deny(reason, "client-certificate-refused");
      case Outcome.Refused(var reason) -> deny(reason.name(), "client-certificate-refused");
      case Outcome.Throttled(var retryAfter) -> next.deny(Refusal.tooManyTries(route, retryAfter), Refusals.NOBODY);
      case Outcome.Unavailable unavailable -> next.deny(Refusal.directoryUnavailable(route), Refusals.NOBODY);
    }
  }

  /** Refuses the request. Verifying the certificate again would yield a session of the same strength. */
  private void tooWeak(AppSession session) {
    next.deny(
        Refusal.signOn(403, "denied", Reason.AUTHENTICATION_TOO_WEAK.name(), route), session.person().value());
  }

  private void deny(String reason, String page) {
    next.deny(Refusal.signOn(403, page, reason, route), Refusals.NOBODY);
  }
}
