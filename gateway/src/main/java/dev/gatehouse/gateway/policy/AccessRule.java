package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.policy.Decision.Challenge;
import dev.gatehouse.gateway.policy.Decision.Deny;
import dev.gatehouse.gateway.policy.Decision.Permit;
import dev.gatehouse.sp.login.LoginNeed;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A route's rule, compiled. */
public sealed interface AccessRule permits AccessRule.Open, AccessRule.Known, TokenRule {

  /** What can be said before the request is known. */
  Standing standing(Subject subject);

  default Decision decide(Subject subject, Facts facts) {
    return standing(subject).decide(facts);
  }

  /** The rule of a route. */
  static AccessRule of(String realm, RouteConfig route) {
    IdentityFilter identity = new IdentityFilter(realm, route.inject());
    if (route.bearer().isPresent()) {
      return TokenRule.of(realm, route, route.bearer().get(), identity);
    }
    return switch (route.access()) {
      case Access.Public open ->
          new Open(new Permit(Subject.ANONYMOUS, HeaderEdits.none(), new Trace(realm, route.name(), "public")));
      case Access.Protected known -> known(new Trace(realm, route.name(), "protected"), Set.of(), identity, route);
      case Access.RequiresRole(Set<String> anyOf) -> {
        String names = String.join(", ", new TreeSet<>(anyOf));
        yield known(new Trace(realm, route.name(), "role " + names), anyOf, identity, route);
      }
    };
  }

  private static AccessRule known(Trace trace, Set<String> anyOf, IdentityFilter identity, RouteConfig route) {
    LoginNeed need = LoginNeed.of(route);
    AuthnRequirement login = new AuthnRequirement.Login();
    return new Known(
        List.copyOf(anyOf),
        trace.rule().equals("protected"),
        identity,
        need,
        !(route.contract() instanceof SignOnContract.Form),
        trace,
        new Challenge(login, trace),
        new Challenge(need.identityProvider().<AuthnRequirement>map(AuthnRequirement.LoginAt::new).orElse(login), trace),
        new Challenge(new AuthnRequirement.StepUp(need.authnContext()), trace),
        new Deny(Set.of(Reason.ROLE_MISSING), trace),
        new Deny(Set.of(Reason.IDENTITY_NOT_SENDABLE), trace));
  }

  /** Anybody. */
  record Open(Permit permit) implements AccessRule {
    @Override
    public Standing standing(Subject subject) {
      return Standing.always(permit);
    }
  }

  /**
   * Somebody who is logged in as the route needs it, with one of the roles where {@code anyPerson} does not say that all
   * may come. Nobody is sent to log in more strongly only to be denied.
   *
   * @param ownContract whether the gateway does the sign-on itself: what a client sends for it is not for the app
   */
  record Known(
      List<String> anyOf,
      boolean anyPerson,
      IdentityFilter identity,
      LoginNeed need,
      boolean ownContract,
      Trace trace,
      Challenge login,
      Challenge loginElsewhere,
      Challenge stepUp,
      Deny roleMissing,
      Deny notSendable)
      implements AccessRule {
    @Override
    public Standing standing(Subject subject) {
      return switch (subject) {
        case Subject.Anonymous nobody -> Standing.always(login);
        case Subject.Holder token -> Standing.always(login);
        case Subject.Person(AppSession session) -> Standing.always(decide(subject, session));
      };
    }

    private Decision decide(Subject subject, AppSession session) {
      if (!need.acceptsProvider(session)) {
        return loginElsewhere;
      }
      if (!anyPerson && !hasRole(session.roles())) {
        return roleMissing;
      }
      if (!need.acceptsContext(session)) {
        return stepUp;
      }
      return identity
          .edits(session)
          .<Decision>map(edits -> new Permit(subject, ownContract ? edits.withoutToken() : edits, trace))
          .orElse(notSendable);
    }

    private boolean hasRole(List<String> roles) {
      for (String role : roles) {
        if (anyOf.contains(role)) {
          return true;
        }
      }
      return false;
    }
  }
}
