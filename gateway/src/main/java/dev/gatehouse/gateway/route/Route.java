package dev.gatehouse.gateway.route;

import dev.gatehouse.common.metric.StatusTimer;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.filter.RouteEdits;
import dev.gatehouse.gateway.policy.AccessRule;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.upstream.Upstream;
import java.util.Optional;

/** One compiled route. Compared by identity. */
public final class Route {

  private final RouteConfig config;
  private final Template template;
  private final Upstream upstream;
  private final AccessRule rule;
  private final IdentityFilter conventional;
  private final RouteEdits edits;
  private final Optional<CacheScope> cache;
  private final StatusTimer timer;
  private final Match found = new Match.Found(this);

  Route(RouteConfig config, Upstream upstream, AccessRule rule, IdentityFilter conventional, Optional<CacheScope> cache,
      StatusTimer timer) {
    this.config = config;
    this.template = new Template(config.match().path().replaceFirst("/$", ""));
    this.upstream = upstream;
    this.rule = rule;
    this.conventional = conventional;
    this.edits = RouteEdits.of(config);
    this.cache = cache;
    this.timer = timer;
  }

  public String name() {
    return config.name();
  }

  /** The configuration that it was compiled from. */
  public RouteConfig config() {
    return config;
  }

  public Upstream upstream() {
    return upstream;
  }

  public AccessRule rule() {
    return rule;
  }

  /** The additional, conventional identity fields for another proxy that asks by forward-auth. */
  public IdentityFilter conventional() {
    return conventional;
  }

  /** The changes of requests and responses on their way. */
  public RouteEdits edits() {
    return edits;
  }

  /** Present if responses may be cached. */
  public Optional<CacheScope> cache() {
    return cache;
  }

  /** Records how long requests took. */
  public StatusTimer timer() {
    return timer;
  }

  public boolean replayPosts() {
    return config.signOn().replayPosts();
  }

  /**
   * The configured path without its last slash: covers itself and everything below it, so that {@code /manager} cannot
   * bypass a rule for {@code /manager/}.
   */
  Template template() {
    return template;
  }

  Match found() {
    return found;
  }

  /** The part of a path that this route's prefix covers: {@code /accounts/7} of {@code /accounts/7/list}. */
  public String covered(String path) {
    return template.covered(path);
  }

  /** Returns whether another proxy serves the route, and only asks the gateway whether a request may pass. */
  public boolean isForeign() {
    return config.upstream().isNone();
  }

  /** The value of a variable of the route's template in a path. */
  public Optional<String> variable(String variable, String path) {
    return template.value(variable, path);
  }

  @Override
  public String toString() {
    return name();
  }
}
