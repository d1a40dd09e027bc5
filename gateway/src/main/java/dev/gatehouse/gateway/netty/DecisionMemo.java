package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.sp.session.AppSession;
import org.jspecify.annotations.Nullable;

/**
 * The last decision of a client's connection. A rule decides the same for the same session, so that as long as the
 * cache holds the very same object there is nothing to decide anew; any change to the session or the routes makes new
 * objects.
 */
final class DecisionMemo {

  private @Nullable Route route;
  private @Nullable AppSession session;
  private @Nullable Decision decision;

  Decision decide(Route asked, AppSession asking) {
    Decision known = decision;
    if (known != null && route == asked && session == asking) {
      return known;
    }
    Decision fresh = asked.rule().decide(new Subject.Person(asking));
    route = asked;
    session = asking;
    decision = fresh;
    return fresh;
  }
}
