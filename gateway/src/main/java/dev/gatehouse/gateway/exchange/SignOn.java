package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.device.DeviceReason;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.authn.AuthnResult;
import dev.gatehouse.gateway.authn.BasicAuthenticator;
import dev.gatehouse.gateway.authn.BearerTokenAuthenticator;
import dev.gatehouse.gateway.authn.CertificateAuthenticator;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.authn.DeviceChecks.Verdict;
import dev.gatehouse.gateway.authn.DeviceChecks;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.effect.DecisionRecorder;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.policy.Trace;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.sp.login.DevicePage;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
      case AccessRule.Open open -> anonymous(request, memo, entry);
      case AccessRule.Known known ->
          switch (request.route().config().signOn().contract()) {
            case SignOnContract.Form form -> session(request, memo, entry);
            case SignOnContract.Basic basic ->
                new BasicAuthenticator(
                        request.authn(), traffic, memo, request.to(), request.route().name(), basic,
                        cookie(request), basicRule(request, memo, entry))
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
      return anonymous(request, memo, entry);
    }
    AppSessionCache sessions = request.authn().sessions();
    String realm = request.to().site().realm().name();
    SessionId id = memo.id(token.get());
    Span span = entry.trace().child("session", SpanKind.INTERNAL);
    return switch (sessions.peek(realm, id)) {
      case Peek.Hit(AppSession session) -> {
        ended(span, "hit");
        yield assured(request, memo, entry, id, session);
      }
      case Peek.None none -> {
        ended(span, "none");
        yield anonymous(request, memo, entry);
      }
      case Peek.Miss miss ->
          new AuthnResult.Blocked<>(
              () -> loaded(entry.trace(), span, () -> sessions.load(realm, id)),
              loaded ->
                  loaded
                      .map(session -> assured(request, memo, entry, id, session))
                      .orElseGet(() -> anonymous(request, memo, entry)));
    };
  }

  private static BasicAuthenticator.Rule basicRule(RoutedRequest request, DecisionMemo memo, AccessEntry entry) {
    return new BasicAuthenticator.Rule() {
      @Override
      public Decision decide(AppSession session) {
        return SignOn.decide(request, memo, entry, session);
      }

      @Override
      public AuthnResult assured(
          SessionId token, AppSession session, Supplier<AuthnResult> same, Supplier<AuthnResult> elsewhere) {
        // A session without a device began by a password, which the client has to send again.
        return request.assurance() == SessionAssurance.ENFORCE && session.device().bindings().isEmpty()
            ? elsewhere.get()
            : SignOn.assured(request, memo, token, session, same, elsewhere);
      }
    };
  }

  private static AuthnResult assured(
      RoutedRequest request, DecisionMemo memo, AccessEntry entry, SessionId token, AppSession session) {
    return assured(
        request, memo, token, session, () -> known(request, memo, entry, session), () -> anonymous(request, memo, entry));
  }

  /** Checks that the request comes from the device of the session's login, where the route or its realm wants that. */
  private static AuthnResult assured(
      RoutedRequest request, DecisionMemo memo, SessionId token, AppSession session, Supplier<AuthnResult> known,
      Supplier<AuthnResult> elsewhere) {
    SessionAssurance assurance = request.assurance();
    if (assurance == SessionAssurance.OFF) {
      return known.get();
    }
    DeviceChecks devices = request.authn().devices();
    boolean enforced = assurance == SessionAssurance.ENFORCE;
    return switch (devices.check(
        memo.device(), request.to().site().realm().name(), request.to().origin(), request.head(), token, session, request.now())) {
      case Verdict.Same same -> known.get();
      case Verdict.Prove prove ->
          enforced
              ? new AuthnResult.Challenged(EdgeReply.seeOther(DevicePage.link(request.path(), request.head().query())))
              : known.get();
      case Verdict.Differs(DeviceReason reason) -> {
        Supplier<AuthnResult> then = enforced ? elsewhere : known;
        yield devices.count(session, reason, enforced)
            ? new AuthnResult.Blocked<>(
                () -> {
                  devices.record(request.to(), session, reason, enforced);
                  return reason;
                },
                recorded -> then.get())
            : then.get();
      }
    };
  }

  private static <T> T loaded(RequestTrace trace, Span span, Supplier<T> load) {
    try {
      return trace.under(span).call(load::get);
    } finally {
      ended(span, "miss");
    }
  }

  private static void ended(Span span, String cache) {
    if (span.isRecording()) {
      span.setAttribute("gatehouse.session.cache", cache);
      span.end();
    }
  }

  private static Optional<SessionToken> cookie(RoutedRequest request) {
    return SessionCookie.of(request.head().fields(), request.to().origin().isSecure());
  }

  private static AuthnResult anonymous(RoutedRequest request, DecisionMemo memo, AccessEntry entry) {
    return memo.decided(decide(request, memo, entry.trace(), null), Refusals.NOBODY);
  }

  /** @param session null for an anonymous client */
  private static Decision decide(RoutedRequest request, DecisionMemo memo, RequestTrace trace, @Nullable AppSession session) {
    Span span = trace.child("decision", SpanKind.INTERNAL);
    Decision decision = memo.decide(request.route(), session, request);
    if (span.isRecording()) {
      switch (decision) {
        case Decision.Permit permit -> describe(span, "permit", permit.trace());
        case Decision.Challenge challenge -> describe(span, "challenge", challenge.trace());
        case Decision.Deny deny -> describe(span, "deny", deny.trace());
      }
      span.end();
    }
    return decision;
  }

  private static void describe(Span span, String result, Trace by) {
    span.setAttribute("gatehouse.decision", result);
    span.setAttribute("gatehouse.policy", by.policy());
    span.setAttribute("gatehouse.rule", by.rule());
  }

  private static AuthnResult known(RoutedRequest request, DecisionMemo memo, AccessEntry entry, AppSession session) {
    return memo.decided(decide(request, memo, entry, session), session.person().value());
  }

  private static Decision decide(RoutedRequest request, DecisionMemo memo, AccessEntry entry, AppSession session) {
    entry.user(session.account().user());
    Decision decision = decide(request, memo, entry.trace(), session);
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
