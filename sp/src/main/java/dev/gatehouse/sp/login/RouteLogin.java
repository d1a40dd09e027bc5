package dev.gatehouse.sp.login;

import java.util.List;

/**
 * The route that requires a login, and the demanded step-up.
 *
 * @param route name of the route; its {@link LoginRequirements} apply
 * @param stepUp AuthnContextClassRefs of which a policy demands one for this person; empty for the first login
 */
public record RouteLogin(String route, List<String> stepUp) {

  public RouteLogin {
    stepUp = List.copyOf(stepUp);
  }

  /** A login with only the requirements of the route. */
  public static RouteLogin of(String route) {
    return new RouteLogin(route, List.of());
  }
}
