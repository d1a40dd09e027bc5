package dev.gatehouse.common.realm;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the gateway serves for this realm.
 *
 * @param routes matched by host, then by the longest path prefix; none matching denies
 */
public record GatewayConfig(List<RouteConfig> routes) {

  /**
   * One route.
   *
   * @param name unique in the realm; shown in decisions and logs
   * @param hosts host names without port (each one of the sp's origins)
   * @param path a prefix beginning with a slash; {@code /manager/} matches that and all below it
   * @param upstream origin of the app, with an optional base path
   * @param access who may come
   * @param inject headers for the app: header name to {@code user}, {@code roles}, {@code groups} or an attribute's name;
   *     {@code Remote-User} and {@code Remote-Groups} where not configured
   * @param replayPosts whether a POST that meets a login may be kept and repeated after a confirming click
   * @param identityProvider the one that people of this route are sent to; the sp's choice where empty
   * @param authnContext AuthnContextClassRefs of which the login must have earned one; any login where empty
   */
  public record RouteConfig(
      String name,
      Set<String> hosts,
      String path,
      URI upstream,
      Access access,
      Map<String, String> inject,
      boolean replayPosts,
      Optional<String> identityProvider,
      List<String> authnContext) {}

  /** Who may come. Absence of a route denies; a route always says one of these. */
  public sealed interface Access {
    /** Anybody; no identity is injected. */
    record Public() implements Access {}

    /** Any person who is logged in. */
    record Protected() implements Access {}

    /** A person who is logged in and has at least one of these roles. */
    record RequiresRole(Set<String> anyOf) implements Access {}
  }
}
