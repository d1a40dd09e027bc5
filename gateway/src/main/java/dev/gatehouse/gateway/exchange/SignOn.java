package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.AuthnResult;
import dev.gatehouse.gateway.authn.BasicAuthenticator;
import dev.gatehouse.gateway.authn.BearerTokenAuthenticator;
import dev.gatehouse.gateway.authn.CertificateAuthenticator;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.effect.DecisionRecorder;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates a request as its route requires, and decides the route's rule. Used on the exchange's event loop.
 */
final class SignOn {

  private SignOn() {}

  /**
   * Authenticates a request.
   *
   * @param memo of the client's connection
   * @param entry learns the user
   * @param certificates the client's certificates on this connection
   */
  static AuthnResult enter(
      RoutedRequest request, TrafficGuard traffic, DecisionMemo memo, AccessEntry entry,
      List<X509Certificate> certificates) {
    return switch (request.route().rule()) {
      case AccessRule.Open open -> anonymous(request, memo);
      case AccessRule.Known known ->
          switch (request.route().config().signOn().contract()) {
            case SignOnContract.Form form -> session(request, memo, entry);
            case SignOnContract.Basic basic ->
                new BasicAuthenticator(
                        request.authn(), traffic, memo.issuedCookie(), request.to(), request.route().name(), basic,
                        cookie(request), session -> decide(request, memo, entry, session))
                    .enter(request.head());
            case SignOnContract.Certificate certificate ->
                new CertificateAuthenticator(
                        request.authn(), request.to(), request.route().name(),
                        session -> decide(request, memo, entry, session))
                    .enter(certificates);
          };
      case TokenRule rule ->
          new BearerTokenAuthenticator(request.authn().tokens(), request.to(), rule, request, entry, recorder(request))
              .enter(request.head());
    };
  }

  private static AuthnResult session(RoutedRequest request, DecisionMemo memo, AccessEntry entry) {
    Optional<SessionToken> token = cookie(request);
    if (token.isEmpty()) {
      return anonymous(request, memo);
    }
    AppSessionCache sessions = request.authn().sessions();
    String realm = request.to().site().realm().name();
    SessionId id = memo.id(token.get());
    return switch (sessions.peek(realm, id)) {
      case Peek.Hit(AppSession session) -> known(request, memo, entry, session);
      case Peek.None none -> anonymous(request, memo);
      case Peek.Miss miss ->
          new AuthnResult.Blocked<>(
              () -> sessions.load(realm, id),
              loaded ->
                  loaded
                      .map(session -> known(request, memo, entry, session))
                      .orElseGet(() -> anonymous(request, memo)));
    };
  }

  private static Optional<SessionToken> cookie(RoutedRequest request) {
    return SessionCookie.of(request.head().fields(), request.to().origin().isSecure());
  }

  private static AuthnResult anonymous(RoutedRequest request, DecisionMemo memo) {
    return memo.decided(memo.decide(request.route(), null, request), Refusals.NOBODY);
  }

  private static AuthnResult known(RoutedRequest request, DecisionMemo memo, AccessEntry entry, AppSession session) {
    return memo.decided(decide(request, memo, entry, session), session.person().value());
  }

  private static Decision decide(RoutedRequest request, DecisionMemo memo, AccessEntry entry, AppSession session) {
    entry.user(session.account().user());
    Decision decision = memo.decide(request.route(), session, request);
    boolean permitted = decision instanceof Decision.Permit;
    recorder(request).person(session, memo.account(session), request.to(), request.route().name(), request, permitted);
    if (permitted && request.route().config().signOn().session().idle().isPresent()) {
      request.authn().uses().used(session.id(), request.now());
    }
    return decision;
  }

  /** Nothing is recorded of a request that was decided by another method than its own. */
  private static DecisionRecorder recorder(RoutedRequest request) {
    return request.withoutMethod().isEmpty() ? request.authn().decisions() : DecisionRecorder.NONE;
  }
}
