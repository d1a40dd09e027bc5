package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import java.util.List;
import java.util.TreeSet;

/** Which methods somebody may use where there is no route for theirs. */
final class AllowedMethods {

  private AllowedMethods() {}

  /** The method by which the route decides: the request's own, else one that the route has. */
  static String asked(RequestHead head, Route route, List<Route> withoutMethod) {
    return withoutMethod.isEmpty() ? head.method() : route.config().methods().iterator().next();
  }

  /** Those with which the routes would let them in: the value of {@code Allow} (RFC 9110, section 10.2.1). */
  static String of(List<Route> routes, Subject subject, RequestFacts facts) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      for (String method : route.config().methods()) {
        if (route.rule().decide(subject, facts.as(route, method)) instanceof Decision.Permit) {
          allowed.add(method);
        }
      }
    }
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return String.join(", ", allowed);
  }
}
