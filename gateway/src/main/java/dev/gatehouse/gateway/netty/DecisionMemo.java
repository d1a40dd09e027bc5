package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.PartialDecision;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.sp.session.AppSession;
import org.jspecify.annotations.Nullable;

/**
 * What a client's connection was told last, as far as it does not depend on the request. As long as the cache holds the very
 * same session there is nothing to find out anew; any change to the session or the routes makes new objects.
 */
final class DecisionMemo {

  private final IssuedSessionCookie told = new IssuedSessionCookie();
  private @Nullable Route route;
  private @Nullable AppSession session;
  private @Nullable PartialDecision standing;
  private @Nullable SessionToken token;
  private @Nullable SessionId id;

  /** The session whose cookie the client was given here last. */
  IssuedSessionCookie told() {
    return told;
  }

  /** The id of the session that a cookie is for: a connection nearly always sends the same one, and a digest has its price. */
  SessionId id(SessionToken sent) {
    SessionId known = id;
    if (known != null && token != null && isSame(token.value(), sent.value())) {
      return known;
    }
    SessionId fresh = sent.id();
    token = sent;
    id = fresh;
    return fresh;
  }

  /** In a time that says nothing: a proxy's connection is many people's. */
  private static boolean isSame(String one, String other) {
    int differences = one.length() ^ other.length();
    for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
      differences |= one.charAt(i) ^ other.charAt(i);
    }
    return differences == 0;
  }

  Decision decide(Route asked, AppSession asking, RequestAttributes facts) {
    PartialDecision known = standing;
    if (known != null && route == asked && session == asking) {
      return known.decide(facts);
    }
    PartialDecision fresh = asked.rule().standing(new Subject.Person(asking));
    route = asked;
    session = asking;
    standing = fresh;
    return fresh.decide(facts);
  }
}
