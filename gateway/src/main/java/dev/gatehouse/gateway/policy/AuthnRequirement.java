package dev.gatehouse.gateway.policy;

import dev.gatehouse.sp.login.RouteLogin;
import java.util.List;

/** The authentication that a person still lacks. */
public sealed interface AuthnRequirement {

  /** The login request to the service provider for a route. */
  default RouteLogin of(String route) {
    return switch (this) {
      case Login any -> RouteLogin.of(route);
      case LoginAt at -> RouteLogin.of(route);
      case LoginAnew anew -> RouteLogin.of(route);
      case StepUp(List<String> authnContext) -> new RouteLogin(route, authnContext);
    };
  }

  /** Any login. */
  record Login() implements AuthnRequirement {}

  /** A login at that identity provider, instead of the session's. */
  record LoginAt(String identityProvider) implements AuthnRequirement {}

  /** A login with one of these AuthnContextClassRefs. */
  record StepUp(List<String> authnContext) implements AuthnRequirement {}

  /** A new login, because the last one was too long ago, or the session was unused for too long. */
  record LoginAnew() implements AuthnRequirement {}
}
