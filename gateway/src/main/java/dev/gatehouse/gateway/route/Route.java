package dev.gatehouse.gateway.route;

import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.upstream.Upstream;

/**
 * One route, compiled.
 *
 * @param prefix the configured path without a slash at its end: covers itself and everything below it, so that {@code
 *     /manager} cannot slip past a rule for {@code /manager/}
 */
public record Route(String name, String prefix, Upstream upstream, AccessRule rule, boolean replayPosts) {}
