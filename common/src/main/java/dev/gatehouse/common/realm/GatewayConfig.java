package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the gateway serves for this realm.
 *
 * @param routes matched by host, then by the longest path prefix, then by method; none matching denies
 * @param policies by name, for routes to refer to
 * @param errorPages where a route has none of its own
 */
public record GatewayConfig(List<RouteConfig> routes, List<PolicyConfig> policies, ErrorPages errorPages) {

  /** With error pages of ours. */
  public GatewayConfig(List<RouteConfig> routes, List<PolicyConfig> policies) {
    this(routes, policies, ErrorPages.NONE);
  }

  /** The page of an administrator's own for such an answer on that route. */
  public Optional<String> errorPage(String route, int status) {
    Optional<RouteConfig> found = routes.stream().filter(r -> r.name().equals(route)).findFirst();
    return found.flatMap(r -> r.response().errorPages().of(status)).or(() -> errorPages.of(status));
  }

  /** Without policies of a name. */
  public GatewayConfig(List<RouteConfig> routes) {
    this(routes, List.of());
  }

  /**
   * One route.
   *
   * @param name unique in the realm; shown in decisions and logs
   * @param hosts host names without port (each one of the sp's origins)
   * @param path a prefix beginning with a slash; {@code /manager/} matches that and all below it
   * @param methods in capitals; all where empty. Routes of one path may share it by method
   * @param upstream the app
   * @param access who may come
   * @param inject what the app is told of the person; {@code Remote-User} and {@code Remote-Groups} where not configured
   * @param replayPosts whether a POST that meets a login may be kept and repeated after a confirming click
   * @param identityProvider the one that people of this route are sent to; the sp's choice where empty
   * @param authnContext AuthnContextClassRefs (of a token: {@code acr} values) of which the login must have earned one; any
   *     login where empty
   * @param bearer present where access tokens are asked for in place of sessions
   * @param contract how the route finds out who asks
   * @param session how fresh the session must be
   * @param policies all of which are asked, besides {@code access}
   * @param cache present where responses may be kept
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

    /** AuthnContextClassRefs that rules of its policies ask for. */
    public List<String> policyContexts() {
      return policies.stream()
          .flatMap(policy -> policy.rules().stream())
          .flatMap(rule -> rule.conditions().stream())
          .flatMap(c -> c instanceof PolicyConfig.Condition.Login(List<String> refs) ? refs.stream() : Stream.of())
          .distinct()
          .toList();
    }

    /** A route with one server, the usual sign-on and nothing special. */
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

    /** The same, telling the app that. */
    public RouteConfig withInject(InjectConfig told) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, told, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** The same before those servers. */
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

    /** The same with other policies. */
    public RouteConfig withPolicies(List<PolicyConfig> other) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, other, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** The same for those methods alone. */
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

    /** The same with another contract, and another wish for fresh sessions. */
    public RouteConfig withSignOn(SignOnContract other, SessionDemand demand) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer, other,
          demand, policies, cache, rewrite, traffic, response, formFill, webSocket);
    }

    /** The same, with a login form that is filled. */
    public RouteConfig withFormFill(FormFillConfig fill) {
      return new RouteConfig(
          name, hosts, path, methods, upstream, access, inject, replayPosts, identityProvider, authnContext, bearer,
          contract, session, policies, cache, rewrite, traffic, response, Optional.of(fill), webSocket);
    }
  }

  /**
   * The access tokens that a route takes (RFC 6750, RFC 9449).
   *
   * @param issuers of the realm's providers; never empty, and one alone with introspection
   * @param audiences of which a token must name one; never empty
   * @param scopes all of which a token must have
   * @param dpopRequired whether plain bearer tokens are refused
   * @param forwardToken whether the app gets the token too
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

  /** How a token is looked at. */
  public sealed interface Verification {
    /** As a JWT, by its issuer's keys: counts until it expires. */
    record Jwt() implements Verification {}

    /**
     * Its issuer is asked (RFC 7662).
     *
     * @param cache how long an answer counts: as long may a token work after it was revoked
     */
    record Introspection(Duration cache) implements Verification {}
  }

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
