package dev.gatehouse.gateway.policy;

import dev.gatehouse.sp.login.RouteLogin;
import java.util.List;

/** What is missing of the person's authentication. */
public sealed interface AuthnRequirement {

  /** What the service provider is asked for, for that route. */
  default RouteLogin of(String route) {
    return switch (this) {
      case Login any -> RouteLogin.of(route);
      case LoginAt at -> RouteLogin.of(route);
      case LoginAnew anew -> RouteLogin.of(route);
      case StepUp(List<String> authnContext) -> new RouteLogin(route, authnContext);
    };
  }

  /** Any login at all. */
  record Login() implements AuthnRequirement {}

  /** A login at that identity provider, in place of the one that the session is of. */
  record LoginAt(String identityProvider) implements AuthnRequirement {}

  /** A login that earns one of these AuthnContextClassRefs. */
  record StepUp(List<String> authnContext) implements AuthnRequirement {}

  /** Another login, since this one was too long ago, or nobody has used its session for too long. */
  record LoginAnew() implements AuthnRequirement {}
}
