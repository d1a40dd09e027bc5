package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiles the policies of a realm's routes: what several routes name is compiled once. For one thread, while a table is made. */
public final class RuleSets {

  private final Map<List<PolicyConfig>, RuleSet> compiled = new HashMap<>();

  /** Empty where the route has no policies: {@code access} alone decides then. */
  Optional<RouteRules> of(String realm, RouteConfig route) {
    if (route.policies().isEmpty()) {
      return Optional.empty();
    }
    RuleSet rules = compiled.computeIfAbsent(route.policies(), RuleSet::new);
    return Optional.of(new RouteRules(realm, route.name(), rules));
  }
}
