package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Whether the person for whom a tunnel was opened is still logged in: asked about once a second, so that a logout, an
 * administrator or the clock ends it. What the person says through the tunnel is use of the session; what the app says,
 * and pings, are not.
 */
final class TunnelSession {

  private final AppSessionCache sessions;
  private final GatewayEventLoop loop;
  private final String realm;
  private final Optional<SessionId> id;
  private final Instant latest;
  private boolean asking;

  private TunnelSession(
      AppSessionCache sessions, GatewayEventLoop loop, String realm, Optional<SessionId> id, Instant latest) {
    this.sessions = sessions;
    this.loop = loop;
    this.realm = realm;
    this.id = id;
    this.latest = latest;
  }

  /** Of the request that opens it. */
  static TunnelSession of(ExchangeServices services, GatewayEventLoop loop, PermittedRequest request) {
    Instant latest =
        switch (request.permit().subject()) {
          case Subject.Anonymous nobody -> Instant.MAX;
          case Subject.Person(AppSession session) -> latest(session, request.route().config().session());
          case Subject.Holder(var holder) -> holder.expiresAt();
        };
    // A further token of a session may end alone; where the session was found otherwise there is none.
    Optional<SessionId> id =
        request.permit().subject() instanceof Subject.Person(AppSession session)
            ? Optional.of(cookie(request).map(SessionToken::id).orElse(session.id()))
            : Optional.empty();
    return new TunnelSession(
        services.sessions(), loop, request.to().site().realm().name(), id, latest);
  }

  /** When the session ends, or is too old for the route. */
  private static Instant latest(AppSession session, SessionDemand demand) {
    return demand
        .absolute()
        .map(session.authenticatedAt()::plus)
        .filter(session.absoluteEnd()::isAfter)
        .orElse(session.absoluteEnd());
  }

  private static Optional<SessionToken> cookie(PermittedRequest request) {
    return request.route().config().contract() instanceof SignOnContract.Form
        ? SessionCookie.of(request.head().fields(), request.to().origin().isSecure())
        : Optional.empty();
  }

  /** @param used whether the person said something since the last time */
  void check(boolean used, Runnable ended) {
    if (!loop.time().instant().isBefore(latest)) {
      ended.run();
    } else if (id.isPresent() && !asking) {
      check(id.get(), used, ended);
    }
  }

  private void check(SessionId of, boolean used, Runnable ended) {
    switch (sessions.peek(realm, of)) {
      case Peek.Hit hit -> {}
      case Peek.None none -> ended.run();
      case Peek.Miss miss -> {
        asking = true;
        Callable<Optional<AppSession>> work = () -> used ? sessions.load(realm, of) : sessions.look(realm, of);
        BlockingTasks.call(
            loop.executor(),
            work,
            session -> {
              asking = false;
              if (session.isEmpty()) {
                ended.run();
              }
            },
            // A store that cannot be read denies: nobody knows whether the session is still there.
            fault -> ended.run());
      }
    }
  }
}
