package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles the policies of a realm's routes; policies that several routes share are compiled once. Used by one thread,
 * while a route table is built.
 */
public final class RuleSets {

  private final Map<List<PolicyConfig>, RuleSet> compiled = new HashMap<>();

  /** The rules of a route; empty if the route has no policies, so that {@code access} alone decides. */
  Optional<RouteRules> of(String realm, RouteConfig route) {
    if (route.authorization().policies().isEmpty()) {
      return Optional.empty();
    }
    RuleSet rules = compiled.computeIfAbsent(route.authorization().policies(), RuleSet::new);
    return Optional.of(new RouteRules(realm, route.name(), rules));
  }
}
