package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Facts;
import dev.gatehouse.gateway.policy.Standing;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.sp.session.AppSession;
import org.jspecify.annotations.Nullable;

/**
 * What a client's connection was told last, as far as it does not depend on the request. As long as the cache holds the very
 * same session there is nothing to find out anew; any change to the session or the routes makes new objects.
 */
final class DecisionMemo {

  private final ToldSession told = new ToldSession();
  private @Nullable Route route;
  private @Nullable AppSession session;
  private @Nullable Standing standing;

  /** The session whose cookie the client was given here last. */
  ToldSession told() {
    return told;
  }

  Decision decide(Route asked, AppSession asking, Facts facts) {
    Standing known = standing;
    if (known != null && route == asked && session == asking) {
      return known.decide(facts);
    }
    Standing fresh = asked.rule().standing(new Subject.Person(asking));
    route = asked;
    session = asking;
    standing = fresh;
    return fresh.decide(facts);
  }
}
