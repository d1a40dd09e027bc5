package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.group.GroupName;
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

/** A route's compiled rule. */
public sealed interface AccessRule permits AccessRule.Open, AccessRule.Known, TokenRule {

  /** The decision as far as it does not depend on the request. */
  PartialDecision partialDecision(Subject subject);

  default Decision decide(Subject subject, RequestAttributes request) {
    return partialDecision(subject).decide(request);
  }

  /** The decision, and the results of the rules of its policies, from the very conditions that decide. */
  default Explanation explain(Subject subject, RequestAttributes request) {
    SubjectAttributes who = SubjectAttributes.of(subject);
    return new Explanation(
        decide(subject, request), rules().map(rules -> rules.explain(who, request)).orElse(List.of()));
  }

  /** The rules of the route's policies; empty if it has none, so that {@code access} alone decides. */
  Optional<RouteRules> rules();

  /** The rule of a route that shares no policies with another one. */
  static AccessRule of(String realm, RouteConfig route) {
    return of(realm, route, new RuleSets());
  }

  /** The rule of a route. */
  static AccessRule of(String realm, RouteConfig route, RuleSets sets) {
    IdentityFilter identity = new IdentityFilter(realm, route.identity().inject());
    Optional<RouteRules> rules = sets.of(realm, route);
    if (route.signOn().bearer().isPresent()) {
      return TokenRule.of(realm, route, route.signOn().bearer().get(), identity, rules);
    }
    return switch (route.authorization().access()) {
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
        !(route.signOn().contract() instanceof SignOnContract.Form),
        trace,
        new Unmet(
            new Challenge(login, trace),
            new Challenge(need.identityProvider().<AuthnRequirement>map(AuthnRequirement.LoginAt::new).orElse(login), trace),
            new Challenge(new AuthnRequirement.LoginAnew(), trace),
            new Deny(Set.of(Reason.ROLE_MISSING), trace)));
  }

  /** Permits everyone, unless policies decide otherwise; never asks for a login. */
  record Open(Trace trace, Optional<RouteRules> rules) implements AccessRule {
    @Override
    public PartialDecision partialDecision(Subject subject) {
      Admission.PerPerson admission = Admission.of(rules, SubjectAttributes.ANONYMOUS, List.of(), trace);
      return Admission.partialDecision(admission, by -> new Permit(Subject.ANONYMOUS, HeaderEdits.none(), by));
    }
  }

  /** The decisions for requests that do not meet the requirements, made once for all requests. */
  record Unmet(Challenge login, Challenge loginElsewhere, Challenge loginAnew, Deny roleMissing) {}

  /**
   * Permits a person with a suitable login and one of the roles (any person if {@code anyPerson}), whom the policies
   * permit. A person is not asked for a stronger login if the result would be a denial.
   *
   * @param ownContract whether the gateway authenticates the request itself, so that the client's credentials are not
   *     for the app
   */
  record Known(
      List<String> anyOf,
      boolean anyPerson,
      IdentityFilter identity,
      LoginRequirements need,
      Optional<RouteRules> rules,
      boolean ownContract,
      Trace trace,
      Unmet unmet)
      implements AccessRule {
    @Override
    public PartialDecision partialDecision(Subject subject) {
      return switch (subject) {
        case Subject.Anonymous anonymous -> PartialDecision.always(unmet.login());
        case Subject.Holder token -> PartialDecision.always(unmet.login());
        case Subject.Person(AppSession session) -> aging(session, partialDecision(subject, session));
      };
    }

    /** Adds the check of the session's age, which can fail while the rest of the decision still holds. */
    private PartialDecision aging(AppSession session, PartialDecision partial) {
      return need.demand().equals(SessionDemand.NONE)
          ? partial
          : request -> {
            Decision decision = partial.decide(request);
            boolean fresh = need.acceptsAge(session, request.lastUse(session.id()), request.now());
            return decision instanceof Permit && !fresh ? unmet.loginAnew() : decision;
          };
    }

    private PartialDecision partialDecision(Subject subject, AppSession session) {
      if (!need.acceptsProvider(session)) {
        return PartialDecision.always(unmet.loginElsewhere());
      }
      if (!anyPerson && !GroupName.isAny(anyOf, session.account().roles())) {
        return PartialDecision.always(unmet.roleMissing());
      }
      Admission.PerPerson admission = Admission.of(rules, SubjectAttributes.of(session), need.authnContext(), trace);
      Optional<HeaderEdits> edits = identity.edits(session);
      return Admission.partialDecision(
          admission,
          by ->
              edits.isPresent()
                  ? new Permit(subject, ownContract ? edits.get().withoutToken() : edits.get(), by)
                  : new Deny(Set.of(Reason.IDENTITY_NOT_SENDABLE), by));
    }
  }
}
