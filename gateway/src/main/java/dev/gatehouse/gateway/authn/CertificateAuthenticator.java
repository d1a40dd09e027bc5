package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.sp.local.LocalSignOn.Outcome;
import dev.gatehouse.sp.session.AppSession;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;

/**
 * Authenticates a request to a route whose contract is a client certificate. Only the certificate of this connection's
 * TLS handshake counts, never one in a header field. No cookie is accepted for such a route, and none is set.
 */
public final class CertificateAuthenticator {

  private final AuthnServices services;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final Function<AppSession, Decision> rule;

  /** @param rule decides the route's rule for a session */
  public CertificateAuthenticator(
      AuthnServices services, AddressedHost to, String route, Function<AppSession, Decision> rule) {
    this.services = services;
    this.to = to;
    this.realm = to.site().realm();
    this.route = route;
    this.rule = rule;
  }

  /** @param chain the certificates that the client proved, its own first; empty if it presented none */
  public AuthnResult enter(List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      return refuse("CERTIFICATE_MISSING", "client-certificate-missing");
    }
    return services
        .certificates()
        .find(realm, chain.getFirst())
        .map(id -> services.find(realm.name(), id, session -> known(chain, session), () -> verify(chain, false)))
        .orElseGet(() -> verify(chain, false));
  }

  private AuthnResult known(List<X509Certificate> chain, AppSession session) {
    Decision decision = rule.apply(session);
    return BasicAuthenticator.isTooOld(decision) ? verify(chain, true) : decided(decision, session);
  }

  private AuthnResult decided(Decision decision, AppSession session) {
    return decision instanceof Decision.Challenge
        ? BasicAuthenticator.tooWeak(session, route)
        : new AuthnResult.Decided(decision, session.person().value(), List.of());
  }

  private AuthnResult verify(List<X509Certificate> chain, boolean anew) {
    return new AuthnResult.Blocked<>(
        () -> services.certificates().verify(realm, to.client(), to.origin(), chain, anew),
        outcome -> verified(chain, anew, outcome));
  }

  private AuthnResult verified(List<X509Certificate> chain, boolean anew, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Open(AppSession session, boolean fresh) -> {
        Decision decision = rule.apply(session);
        if (!BasicAuthenticator.isTooOld(decision)) {
          yield decided(decision, session);
        }
        // A continued session may be too old for the route.
        yield fresh || anew ? refuse("SESSION_TOO_OLD", "denied") : verify(chain, true);
      }
      case Outcome.CertificateRefused(String reason) -> refuse(reason, "client-certificate-refused");
      case Outcome.Refused(var reason) -> refuse(reason.name(), "client-certificate-refused");
      case Outcome.Throttled(var retryAfter) ->
          new AuthnResult.Refused(Refusal.tooManyTries(route, retryAfter), Refusals.NOBODY);
      case Outcome.Unavailable unavailable ->
          new AuthnResult.Refused(Refusal.unavailable(Outage.DIRECTORY, route), Refusals.NOBODY);
    };
  }

  private AuthnResult refuse(String reason, String page) {
    return new AuthnResult.Refused(Refusal.signOn(403, page, reason, route), Refusals.NOBODY);
  }
}
