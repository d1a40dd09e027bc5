package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.effect.DecisionRecorder;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.signon.SessionUses;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;

/** The services that authenticate requests and tell apps who sends them. */
public record AuthnServices(
    AppSessionCache sessions,
    AccessTokens tokens,
    VerifiedPasswords passwords,
    VerifiedCertificates certificates,
    IdentityTokens identityTokens,
    SessionUses uses,
    DecisionRecorder decisions,
    DeviceChecks devices,
    InstantSource time) {

  /** Looks a session up, in memory if it is there. */
  AuthnResult find(String realm, SessionId id, Function<AppSession, AuthnResult> found, Supplier<AuthnResult> gone) {
    return switch (sessions.peek(realm, id)) {
      case Peek.Hit(AppSession session) -> found.apply(session);
      case Peek.None none -> gone.get();
      case Peek.Miss miss ->
          new AuthnResult.Blocked<>(() -> sessions.load(realm, id), loaded -> loaded.map(found).orElseGet(gone));
    };
  }
}
