package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Route;
import java.util.List;
import java.util.TreeSet;

/** Computes the methods that a subject may use on a path that has no route for the requested method. */
final class AllowedMethods {

  private AllowedMethods() {}

  /** The method to decide by: the request's own if a route has it, otherwise one of the route's methods. */
  static String asked(RequestHead head, Route route, List<Route> withoutMethod) {
    return withoutMethod.isEmpty() ? head.method() : route.config().methods().iterator().next();
  }

  /** The methods that the routes would permit to the subject: the value of {@code Allow} (RFC 9110, section 10.2.1). */
  static String of(List<Route> routes, Subject subject, ExchangeAttributes attributes) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      for (String method : route.config().methods()) {
        if (route.rule().decide(subject, attributes.as(route, method)) instanceof Decision.Permit) {
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
