package dev.gatehouse.sp.login;

import java.util.List;

/**
 * For which route somebody has to log in, and how.
 *
 * @param route its name: its {@link LoginRequirements} holds
 * @param stepUp AuthnContextClassRefs of which one would let this person in, where a policy said so; empty for the first login
 */
public record RouteLogin(String route, List<String> stepUp) {

  public RouteLogin {
    stepUp = List.copyOf(stepUp);
  }

  /** As the route says. */
  public static RouteLogin of(String route) {
    return new RouteLogin(route, List.of());
  }
}
