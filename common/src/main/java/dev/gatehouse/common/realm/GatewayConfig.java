package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The routes that the gateway serves for this realm.
 *
 * @param routes matched by host, then by the longest path prefix, then by method; requests without a route are denied
 * @param policies by name, for routes to refer to
 * @param errorPages used by routes without a page of their own
 */
public record GatewayConfig(List<RouteConfig> routes, List<PolicyConfig> policies, ErrorPages errorPages) {

  /** Creates a configuration with our error pages. */
  public GatewayConfig(List<RouteConfig> routes, List<PolicyConfig> policies) {
    this(routes, policies, ErrorPages.NONE);
  }

  /** Returns the administrator's own page for that status on that route. */
  public Optional<String> errorPage(String route, int status) {
    Optional<RouteConfig> found = routes.stream().filter(r -> r.name().equals(route)).findFirst();
    return found.flatMap(r -> r.response().errorPages().of(status)).or(() -> errorPages.of(status));
  }

  /** Creates a configuration without named policies. */
  public GatewayConfig(List<RouteConfig> routes) {
    this(routes, List.of());
  }

  /**
   * One route.
   *
   * @param name unique in the realm; shown in decisions and logs
   * @param hosts host names without port (each one of the sp's origins)
   * @param path a prefix beginning with a slash; {@code /manager/} matches that and all below it
   * @param methods in capitals; all if empty. Routes of one path may share it by method
   * @param upstream the app
   * @param access who may come
   * @param inject how the app is told about the person; {@code Remote-User} and {@code Remote-Groups} if not configured
   * @param replayPosts whether a POST that meets a login may be stored and repeated after a confirming click
   * @param identityProvider the one to which people of this route are sent; the sp's choice if empty
   * @param authnContext AuthnContextClassRefs (of a token: {@code acr} values) of which the login must have achieved one; any
   *     login if empty
   * @param bearer present if the route takes access tokens in place of sessions
   * @param contract how the route identifies the person
   * @param session how fresh the session must be
   * @param policies evaluated in addition to {@code access}
   * @param cache present if responses may be stored
   */
  public record RouteConfig(
      String name,
      Set<String> hosts,
      String path,
      Set<String> methods,
      UpstreamConfig upstream,
      Access access,
      InjectConfig inject,
      boolean replayPosts,
      Optional<String> identityProvider,
      List<String> authnContext,
      Optional<BearerConfig> bearer,
      SignOnContract contract,
      SessionDemand session,
      List<PolicyConfig> policies,
      Optional<CacheConfig> cache,
      RewriteConfig rewrite,
      TrafficConfig traffic,
      ResponseConfig response,
      Optional<FormFillConfig> formFill,
      WebSocketConfig webSocket) {

    /** Returns the AuthnContextClassRefs that rules of its policies require. */
    public List<String> policyContexts() {
      return policies.stream()
          .flatMap(policy -> policy.rules().stream())
          .flatMap(rule -> rule.conditions().stream())
          .flatMap(c -> c instanceof PolicyConfig.Condition.Login(List<String> refs) ? refs.stream() : Stream.of())
          .distinct()
          .toList();
    }

    /** Creates a route with one server, the usual sign-on and defaults. */
    public RouteConfig(
        String name,
        Set<String> hosts,
        String path,
        URI upstream,
        Access access,
        Map<String, String> headers,
        boolean replayPosts,
        Optional<String> identityProvider,
        List<String> authnContext,
        Optional<BearerConfig> bearer) {
      this(
          name, hosts, path, Set.of(), UpstreamConfig.of(upstream), access, InjectConfig.headers(headers), replayPosts,
          identityProvider, authnContext, bearer, SignOnContract.FORM, SessionDemand.NONE, List.of(), Optional.empty(),
          RewriteConfig.NONE, TrafficConfig.USUAL, ResponseConfig.PLAIN, Optional.empty(), WebSocketConfig.SAME_ORIGIN);
    }

    /** Returns this route with another injection. */
    public RouteConfig withInject(InjectConfig other) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, other, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** Returns this route with other servers. */
    public RouteConfig withUpstream(UpstreamConfig servers) {
      return new RouteConfig(
          name, hosts, path, methods, servers, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    public RouteConfig withCache(CacheConfig changed) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer, contract,
          session, policies, Optional.of(changed), rewrite, traffic, response, formFill, webSocket);
    }

    /** Returns this route with other policies. */
    public RouteConfig withPolicies(List<PolicyConfig> other) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, other, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** Returns this route for those methods only. */
    public RouteConfig withMethods(Set<String> other) {
      return new RouteConfig(
          name, hosts, path, other, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    public RouteConfig withWebSocket(WebSocketConfig changed) {
      return with(rewrite, traffic, response, changed);
    }

    public RouteConfig withRewrite(RewriteConfig changed) {
      return with(changed, traffic, response, webSocket);
    }

    public RouteConfig withTraffic(TrafficConfig changed) {
      return with(rewrite, changed, response, webSocket);
    }

    public RouteConfig withResponse(ResponseConfig changed) {
      return with(rewrite, traffic, changed, webSocket);
    }

    private RouteConfig with(
        RewriteConfig rewriting, TrafficConfig limits, ResponseConfig responses, WebSocketConfig sockets) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer, contract,
          session, policies, cache, rewriting, limits, responses, formFill, sockets);
    }

    /** Returns this route with another sign-on contract and another demand for fresh sessions. */
    public RouteConfig withSignOn(SignOnContract other, SessionDemand demand) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer, other,
          demand, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** Returns this route with a login form to be filled. */
    public RouteConfig withFormFill(FormFillConfig fill) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, Optional.of(fill), webSocket);
    }
  }

  /**
   * The access tokens that a route accepts (RFC 6750, RFC 9449).
   *
   * @param issuers among the realm's providers; never empty, and exactly one with introspection
   * @param audiences a token must name one of them; never empty
   * @param scopes a token must have all of them
   * @param dpopRequired whether plain bearer tokens are refused
   * @param forwardToken whether the app receives the token too
   */
  public record BearerConfig(
      List<String> issuers,
      List<String> audiences,
      Verification verification,
      List<String> scopes,
      boolean dpopRequired,
      boolean forwardToken) {
    public BearerConfig {
      issuers = List.copyOf(issuers);
      audiences = List.copyOf(audiences);
      scopes = List.copyOf(scopes);
    }
  }

  /** The way to verify a token. */
  public sealed interface Verification {
    /** As a JWT, by its issuer's keys: it is valid until it expires. */
    record Jwt() implements Verification {}

    /**
     * By asking its issuer (RFC 7662).
     *
     * @param cache how long a response is cached: a token may work that long after it was revoked
     */
    record Introspection(Duration cache) implements Verification {}
  }

  /** Who may use a route. A request without a route is denied; every route has one of these. */
  public sealed interface Access {
    /** Anybody; no identity is injected. */
    record Public() implements Access {}

    /** Any person who is logged in. */
    record Protected() implements Access {}

    /** A person who is logged in and has at least one of these roles. */
    record RequiresRole(Set<String> anyOf) implements Access {}
  }
}
