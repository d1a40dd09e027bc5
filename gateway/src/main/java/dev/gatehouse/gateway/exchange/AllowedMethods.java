package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.Route;
import java.util.TreeSet;

/** Refuses a method for which a path has no route. */
final class AllowedMethods {

  private AllowedMethods() {}

  /** Names the methods that the subject may use. Only a subject that may use one learns that the path exists. */
  static Refusal refusal(RoutedRequest request, Subject subject) {
    return Refusal.of(Reason.METHOD_NOT_ALLOWED, request.route().name()).with("Allow", allowed(request, subject));
  }

  /** The methods that the routes would permit to the subject: the value of {@code Allow} (RFC 9110, section 10.2.1). */
  private static String allowed(RoutedRequest request, Subject subject) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : request.withoutMethod()) {
      for (String method : route.config().match().methods()) {
        if (route.rule().decide(subject, request.as(route, method)) instanceof Decision.Permit) {
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
