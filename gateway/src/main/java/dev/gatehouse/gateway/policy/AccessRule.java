package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.policy.Decision.Challenge;
import dev.gatehouse.gateway.policy.Decision.Deny;
import dev.gatehouse.gateway.policy.Decision.Permit;
import dev.gatehouse.sp.login.LoginRequirements;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A route's rule, compiled. */
public sealed interface AccessRule permits AccessRule.Open, AccessRule.Known, TokenRule {

  /** What can be said before the request is known. */
  PartialDecision standing(Subject subject);

  default Decision decide(Subject subject, RequestAttributes facts) {
    return standing(subject).decide(facts);
  }

  /** The decision, and what the rules of its policies came to: by the very conditions that decide. */
  default Explanation explain(Subject subject, RequestAttributes facts) {
    SubjectAttributes who = SubjectAttributes.of(subject);
    return new Explanation(
        decide(subject, facts), rules().map(rules -> rules.explain(who, facts)).orElse(List.of()));
  }

  /** Those of the route's policies; empty where it has none, and {@code access} alone decides. */
  Optional<RouteRules> rules();

  /** The rule of a route that shares no policies with another one. */
  static AccessRule of(String realm, RouteConfig route) {
    return of(realm, route, new RuleSets());
  }

  /** The rule of a route. */
  static AccessRule of(String realm, RouteConfig route, RuleSets sets) {
    IdentityFilter identity = new IdentityFilter(realm, route.inject());
    Optional<RouteRules> rules = sets.of(realm, route);
    if (route.bearer().isPresent()) {
      return TokenRule.of(realm, route, route.bearer().get(), identity, rules);
    }
    return switch (route.access()) {
      case Access.Public open -> new Open(new Trace(realm, route.name(), "public"), rules);
      case Access.Protected known -> known(new Trace(realm, route.name(), "protected"), Set.of(), identity, route, rules);
      case Access.RequiresRole(Set<String> anyOf) -> {
        String names = String.join(", ", new TreeSet<>(anyOf));
        yield known(new Trace(realm, route.name(), "role " + names), anyOf, identity, route, rules);
      }
    };
  }

  private static AccessRule known(
      Trace trace, Set<String> anyOf, IdentityFilter identity, RouteConfig route, Optional<RouteRules> rules) {
    LoginRequirements need = LoginRequirements.of(route);
    AuthnRequirement login = new AuthnRequirement.Login();
    return new Known(
        List.copyOf(anyOf),
        trace.rule().equals("protected"),
        identity,
        need,
        rules,
        !(route.contract() instanceof SignOnContract.Form),
        trace,
        new Challenge(login, trace),
        new Challenge(need.identityProvider().<AuthnRequirement>map(AuthnRequirement.LoginAt::new).orElse(login), trace),
        new Challenge(new AuthnRequirement.LoginAnew(), trace),
        new Deny(Set.of(Reason.ROLE_MISSING), trace));
  }

  /** Anybody, as far as policies say nothing else; nobody is asked who they are. */
  record Open(Trace trace, Optional<RouteRules> rules) implements AccessRule {
    @Override
    public PartialDecision standing(Subject subject) {
      Admission.PerPerson admission = Admission.of(rules, SubjectAttributes.NOBODY, List.of(), trace);
      return Admission.standing(admission, by -> new Permit(Subject.ANONYMOUS, HeaderEdits.none(), by));
    }
  }

  /**
   * Somebody who is logged in as the route needs it, with one of the roles where {@code anyPerson} does not say that all
   * may come, and whom the policies permit. Nobody is sent to log in more strongly only to be denied.
   *
   * @param ownContract whether the gateway does the sign-on itself: what a client sends for it is not for the app
   */
  record Known(
      List<String> anyOf,
      boolean anyPerson,
      IdentityFilter identity,
      LoginRequirements need,
      Optional<RouteRules> rules,
      boolean ownContract,
      Trace trace,
      Challenge login,
      Challenge loginElsewhere,
      Challenge loginAnew,
      Deny roleMissing)
      implements AccessRule {
    @Override
    public PartialDecision standing(Subject subject) {
      return switch (subject) {
        case Subject.Anonymous nobody -> PartialDecision.always(login);
        case Subject.Holder token -> PartialDecision.always(login);
        case Subject.Person(AppSession session) -> aging(session, standing(subject, session));
      };
    }

    /** A session may become too old while the rest of what is said of it goes on. */
    private PartialDecision aging(AppSession session, PartialDecision standing) {
      return need.demand().equals(SessionDemand.NONE)
          ? standing
          : facts -> {
            Decision decision = standing.decide(facts);
            boolean fresh = need.acceptsAge(session, facts.lastUse(session.id()), facts.now());
            return decision instanceof Permit && !fresh ? loginAnew : decision;
          };
    }

    private PartialDecision standing(Subject subject, AppSession session) {
      if (!need.acceptsProvider(session)) {
        return PartialDecision.always(loginElsewhere);
      }
      if (!anyPerson && !hasRole(session.roles())) {
        return PartialDecision.always(roleMissing);
      }
      Admission.PerPerson admission = Admission.of(rules, SubjectAttributes.of(session), need.authnContext(), trace);
      Optional<HeaderEdits> edits = identity.edits(session);
      return Admission.standing(
          admission,
          by ->
              edits.isPresent()
                  ? new Permit(subject, ownContract ? edits.get().withoutToken() : edits.get(), by)
                  : new Deny(Set.of(Reason.IDENTITY_NOT_SENDABLE), by));
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
