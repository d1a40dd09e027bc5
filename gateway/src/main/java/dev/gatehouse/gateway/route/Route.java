package dev.gatehouse.gateway.route;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.upstream.Upstream;
import java.util.Optional;

/**
 * One route, compiled.
 *
 * @param prefix the configured path without a slash at its end: covers itself and everything below it, so that {@code
 *     /manager} cannot slip past a rule for {@code /manager/}
 * @param config what it was compiled from
 */
public record Route(
    String name, String prefix, Upstream upstream, AccessRule rule, boolean replayPosts, RouteConfig config) {

  /** What stands in such a path where the route's template has that variable. */
  public Optional<String> variable(String variable, String path) {
    return Optional.empty();
  }
}
