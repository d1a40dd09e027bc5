package dev.gatehouse.gateway.route;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.upstream.Upstream;
import java.util.Optional;

/**
 * One route, compiled.
 *
 * @param prefix the configured path without a slash at its end: covers itself and everything below it, so that {@code
 *     /manager} cannot slip past a rule for {@code /manager/}
 * @param config what it was compiled from
 * @param conventional what another proxy is told of the person besides what is configured, when it asks
 */
public record Route(
    String name, String prefix, Upstream upstream, AccessRule rule, boolean replayPosts, RouteConfig config,
    IdentityFilter conventional) {

  /** Whether another proxy serves it, which asks us alone whether a request may pass. */
  public boolean isForeign() {
    return config.upstream().isNone();
  }

  /** What stands in such a path where the route's template has that variable. */
  public Optional<String> variable(String variable, String path) {
    return Optional.empty();
  }
}
