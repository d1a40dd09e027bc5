package dev.gatehouse.gateway.netty.websocket;

import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.authn.SessionCookie;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.AppSessionCache.Peek;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Checks about once a second whether the session of the person for whom a tunnel was opened still exists, and whether the
 * rule of the route still permits the person, so that a logout, an administrator, the session's end or the loss of a role
 * ends the tunnel. Data from the person counts as use of the session; data from the app, and pings, do not.
 */
public final class TunnelSession {

  private final AppSessionCache sessions;
  private final GatewayEventLoop loop;
  private final String realm;
  private final Optional<SessionId> id;
  private final Instant latest;
  private final Subject opener;
  private final Predicate<Subject> rule;
  private boolean asking;

  private TunnelSession(
      AppSessionCache sessions, GatewayEventLoop loop, PermittedRequest request, Optional<SessionId> id, Instant latest,
      Predicate<Subject> rule) {
    this.sessions = sessions;
    this.loop = loop;
    this.realm = request.to().site().realm().name();
    this.id = id;
    this.latest = latest;
    this.opener = request.permit().subject();
    this.rule = rule;
  }

  /**
   * The session of the request that opens the tunnel.
   *
   * @param rule returns whether the subject may still use what the tunnel leads to
   */
  public static TunnelSession of(
      AppSessionCache sessions, GatewayEventLoop loop, PermittedRequest request, Predicate<Subject> rule) {
    Instant latest =
        switch (request.permit().subject()) {
          case Subject.Anonymous anonymous -> Instant.MAX;
          case Subject.Person(AppSession session) -> latest(session, request.route().config().signOn().session());
          case Subject.Holder(var holder) -> holder.expiresAt();
        };
    // An additional token of a session may end alone, so the token's id is checked; without a cookie the session's own
    // id is.
    Optional<SessionId> id =
        request.permit().subject() instanceof Subject.Person(AppSession session)
            ? Optional.of(cookie(request).map(SessionToken::id).orElse(session.id()))
            : Optional.empty();
    return new TunnelSession(sessions, loop, request, id, latest, rule);
  }

  /** The time at which the session ends or becomes too old for the route. */
  private static Instant latest(AppSession session, SessionDemand demand) {
    return demand
        .absolute()
        .map(session.login().authenticatedAt()::plus)
        .filter(session.lifetime().absoluteEnd()::isAfter)
        .orElse(session.lifetime().absoluteEnd());
  }

  private static Optional<SessionToken> cookie(PermittedRequest request) {
    return request.route().config().signOn().contract() instanceof SignOnContract.Form
        ? SessionCookie.of(request.head().fields(), request.to().origin().isSecure())
        : Optional.empty();
  }

  /** @param used whether the person has sent data since the last check */
  void check(boolean used, Runnable ended) {
    if (!loop.time().instant().isBefore(latest)) {
      ended.run();
    } else if (id.isEmpty()) {
      check(opener, ended);
    } else if (!asking) {
      check(id.get(), used, ended);
    }
  }

  private void check(SessionId of, boolean used, Runnable ended) {
    switch (sessions.peek(realm, of)) {
      case Peek.Hit(AppSession session) -> check(new Subject.Person(session), ended);
      case Peek.None none -> ended.run();
      case Peek.Miss miss -> {
        asking = true;
        Callable<Optional<AppSession>> work = () -> used ? sessions.load(realm, of) : sessions.look(realm, of);
        BlockingTasks.call(
            loop.executor(),
            work,
            session -> {
              asking = false;
              session.ifPresentOrElse(found -> check(new Subject.Person(found), ended), ended);
            },
            // If the store cannot be read, the tunnel ends: it is unknown whether the session still exists.
            fault -> ended.run());
      }
    }
  }

  private void check(Subject subject, Runnable ended) {
    if (!rule.test(subject)) {
      ended.run();
    }
  }
}
