package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.AuthnResult;
import dev.gatehouse.gateway.authn.AuthnServices;
import dev.gatehouse.gateway.authn.BasicAuthenticator;
import dev.gatehouse.gateway.authn.BearerTokenAuthenticator;
import dev.gatehouse.gateway.authn.CertificateAuthenticator;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates a request as its route requires, and decides the route's rule. Used on the exchange's event loop.
 *
 * @param entry learns the user
 */
record SignOn(RoutedRequest request, TrafficGuard traffic, DecisionMemo memo, AccessEntry entry) {

  /** @param certificates the client's certificates on this connection */
  AuthnResult enter(List<X509Certificate> certificates) {
    return switch (request.route().rule()) {
      case AccessRule.Open open -> anonymous();
      case AccessRule.Known known ->
          switch (request.route().config().signOn().contract()) {
            case SignOnContract.Form form -> session();
            case SignOnContract.Basic basic -> basic(basic);
            case SignOnContract.Certificate certificate ->
                new CertificateAuthenticator(request.authn(), request.to(), request.route().name(), this::decide)
                    .enter(certificates);
          };
      case TokenRule rule ->
          new BearerTokenAuthenticator(request.authn().tokens(), request.to(), rule, request, entry)
              .enter(request.head());
    };
  }

  private AuthnResult session() {
    Optional<SessionToken> token = cookie();
    if (token.isEmpty()) {
      return anonymous();
    }
    AuthnServices authn = request.authn();
    String realm = request.to().site().realm().name();
    SessionId id = memo.id(token.get());
    return switch (authn.sessions().peek(realm, id)) {
      case Peek.Hit(AppSession session) -> known(session);
      case Peek.None none -> anonymous();
      case Peek.Miss miss ->
          new AuthnResult.Blocked<>(
              () -> authn.sessions().load(realm, id),
              loaded -> loaded.map(this::known).orElseGet(this::anonymous));
    };
  }

  private AuthnResult basic(SignOnContract.Basic contract) {
    return new BasicAuthenticator(
            request.authn(), traffic, memo.issuedCookie(), request.to(), request.route().name(), contract, cookie(),
            this::decide)
        .enter(request.head());
  }

  private Optional<SessionToken> cookie() {
    return SessionCookie.of(request.head().fields(), request.to().origin().isSecure());
  }

  private AuthnResult anonymous() {
    Decision decision = request.route().rule().decide(Subject.ANONYMOUS, request);
    return new AuthnResult.Decided(decision, Refusals.NOBODY, List.of());
  }

  private AuthnResult known(AppSession session) {
    return new AuthnResult.Decided(decide(session), session.person().value(), List.of());
  }

  private Decision decide(AppSession session) {
    entry.user(session.user());
    Decision decision = memo.decide(request.route(), session, request);
    if (decision instanceof Decision.Permit && request.route().config().signOn().session().idle().isPresent()) {
      request.authn().uses().used(session.id(), request.now());
    }
    return decision;
  }
}
