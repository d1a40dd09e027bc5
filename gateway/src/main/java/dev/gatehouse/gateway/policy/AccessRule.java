package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.policy.Decision.Challenge;
import dev.gatehouse.gateway.policy.Decision.Deny;
import dev.gatehouse.gateway.policy.Decision.Permit;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A route's rule, compiled: the same session always gets the same decision. */
public sealed interface AccessRule {

  /** Whether the decision depends on who asks, so that the session has to be looked up. */
  boolean asksWho();

  Decision decide(Subject subject);

  /** The rule of a route. */
  static AccessRule of(String realm, RouteConfig route) {
    IdentityFilter identity = new IdentityFilter(route.inject());
    return switch (route.access()) {
      case Access.Public open ->
          new Open(new Permit(Subject.ANONYMOUS, HeaderEdits.none(), new Trace(realm, route.name(), "public")));
      case Access.Protected known -> known(new Trace(realm, route.name(), "protected"), Set.of(), identity);
      case Access.RequiresRole(Set<String> anyOf) -> {
        String names = String.join(", ", new TreeSet<>(anyOf));
        yield known(new Trace(realm, route.name(), "role " + names), anyOf, identity);
      }
    };
  }

  private static AccessRule known(Trace trace, Set<String> anyOf, IdentityFilter identity) {
    return new Known(
        List.copyOf(anyOf),
        trace.rule().equals("protected"),
        identity,
        trace,
        new Challenge(new AuthnRequirement.Login(), trace),
        new Deny(Set.of(Reason.ROLE_MISSING), trace),
        new Deny(Set.of(Reason.IDENTITY_NOT_SENDABLE), trace));
  }

  /** Anybody. */
  record Open(Permit permit) implements AccessRule {
    @Override
    public boolean asksWho() {
      return false;
    }

    @Override
    public Decision decide(Subject subject) {
      return permit;
    }
  }

  /** Somebody who is logged in, with one of the roles where {@code anyPerson} does not say that all may come. */
  record Known(
      List<String> anyOf,
      boolean anyPerson,
      IdentityFilter identity,
      Trace trace,
      Challenge challenge,
      Deny roleMissing,
      Deny notSendable)
      implements AccessRule {
    @Override
    public boolean asksWho() {
      return true;
    }

    @Override
    public Decision decide(Subject subject) {
      return switch (subject) {
        case Subject.Anonymous nobody -> challenge;
        case Subject.Person(AppSession session) -> decide(subject, session);
      };
    }

    private Decision decide(Subject subject, AppSession session) {
      if (!anyPerson && !hasRole(session.roles())) {
        return roleMissing;
      }
      return identity
          .edits(session)
          .<Decision>map(edits -> new Permit(subject, edits, trace))
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
