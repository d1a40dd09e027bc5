package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.bearer.TokenMemory;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.policy.Decision.Deny;
import dev.gatehouse.gateway.policy.Decision.Permit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rule of a route that takes access tokens instead of sessions; cookies are ignored.
 *
 * @param anyOf roles of which the holder must have one; empty if any holder is permitted
 * @param acr authentication contexts of which the token must have one; empty if any suffices (RFC 9470)
 */
public record TokenRule(
    BearerConfig config,
    TokenMemory memory,
    Set<String> anyOf,
    List<String> acr,
    IdentityFilter identity,
    Optional<RouteRules> rules,
    Trace trace)
    implements AccessRule {

  static TokenRule of(String realm, RouteConfig route, BearerConfig config, IdentityFilter identity, Optional<RouteRules> rules) {
    Set<String> roles =
        switch (route.authorization().access()) {
          case Access.RequiresRole(Set<String> anyOf) -> anyOf;
          case Access.Protected known -> Set.of();
          case Access.Public open -> throw new IllegalArgumentException("a public route asks for no token");
        };
    return new TokenRule(
        config, new TokenMemory(), roles, route.signOn().authnContext(), identity, rules,
        new Trace(realm, route.name(), "access token"));
  }

  /** Without a token the decision is a denial; the challenge for a token is not part of this rule. */
  @Override
  public PartialDecision partialDecision(Subject subject) {
    return switch (subject) {
      case Subject.Holder(TokenHolder holder) -> partialDecision(subject, holder);
      case Subject.Anonymous anonymous -> PartialDecision.always(deny(Reason.TOKEN_MISSING));
      case Subject.Person person -> PartialDecision.always(deny(Reason.TOKEN_MISSING));
    };
  }

  private PartialDecision partialDecision(Subject subject, TokenHolder holder) {
    if (!holder.scopes().containsAll(config.scopes())) {
      return PartialDecision.always(deny(Reason.SCOPE_MISSING));
    }
    if (!GroupName.permits(anyOf, holder.account().roles())) {
      return PartialDecision.always(deny(Reason.ROLE_MISSING));
    }
    Optional<HeaderEdits> edits = identity.edits(holder);
    return Admission.partialDecision(
        Admission.of(rules, SubjectAttributes.of(holder), acr, trace),
        by ->
            edits
                .<Decision>map(e -> new Permit(subject, config.forwardToken() ? e : e.withoutToken(), by))
                .orElseGet(() -> deny(Reason.IDENTITY_NOT_SENDABLE)));
  }

  private Deny deny(Reason reason) {
    return new Deny(Set.of(reason), trace);
  }
}
