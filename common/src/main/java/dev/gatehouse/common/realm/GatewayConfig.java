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
   * @param upstream the app
   * @param cache present if responses may be stored
   */
  public record RouteConfig(
      String name,
      Match match,
      UpstreamConfig upstream,
      Authorization authorization,
      SignOn signOn,
      Identity identity,
      Optional<CacheConfig> cache,
      RewriteConfig rewrite,
      ResponseConfig response,
      Protection protection) {

    /** Creates a route with one server and defaults. */
    public RouteConfig(String name, Match match, URI upstream, Access access, Map<String, String> headers, SignOn signOn) {
      this(
          name, match, UpstreamConfig.of(upstream), new Authorization(access, List.of()), signOn,
          new Identity(InjectConfig.headers(headers), Optional.empty()), Optional.empty(), RewriteConfig.NONE, ResponseConfig.PLAIN,
          new Protection(TrafficConfig.USUAL, WebSocketConfig.SAME_ORIGIN));
    }

    /** Returns this route with another injection. */
    public RouteConfig withInject(InjectConfig other) {
      return with(authorization, signOn, new Identity(other, identity.formFill()), rewrite, response, protection);
    }

    /** Returns this route with a login form to be filled. */
    public RouteConfig withFormFill(FormFillConfig fill) {
      return with(authorization, signOn, new Identity(identity.inject(), Optional.of(fill)), rewrite, response, protection);
    }

    /** Returns this route with other servers. */
    public RouteConfig withUpstream(UpstreamConfig servers) {
      return new RouteConfig(name, match, servers, authorization, signOn, identity, cache, rewrite, response, protection);
    }

    public RouteConfig withCache(CacheConfig other) {
      return new RouteConfig(
          name, match, upstream, authorization, signOn, identity, Optional.of(other), rewrite, response, protection);
    }

    /** Returns this route with other policies. */
    public RouteConfig withPolicies(List<PolicyConfig> other) {
      return with(new Authorization(authorization.access(), other), signOn, identity, rewrite, response, protection);
    }

    /** Returns this route for those methods only. */
    public RouteConfig withMethods(Set<String> other) {
      return new RouteConfig(
          name, new Match(match.hosts(), match.path(), other), upstream, authorization, signOn, identity, cache, rewrite, response,
          protection);
    }

    public RouteConfig withWebSocket(WebSocketConfig other) {
      return with(authorization, signOn, identity, rewrite, response, new Protection(protection.traffic(), other));
    }

    public RouteConfig withTraffic(TrafficConfig other) {
      return with(authorization, signOn, identity, rewrite, response, new Protection(other, protection.webSocket()));
    }

    public RouteConfig withRewrite(RewriteConfig other) {
      return with(authorization, signOn, identity, other, response, protection);
    }

    public RouteConfig withResponse(ResponseConfig other) {
      return with(authorization, signOn, identity, rewrite, other, protection);
    }

    /** Returns this route with another sign-on contract and another demand for fresh sessions. */
    public RouteConfig withSignOn(SignOnContract contract, SessionDemand demand) {
      SignOn other =
          new SignOn(contract, signOn.identityProvider(), signOn.authnContext(), signOn.bearer(), demand, signOn.replayPosts());
      return with(authorization, other, identity, rewrite, response, protection);
    }

    private RouteConfig with(
        Authorization who, SignOn how, Identity told, RewriteConfig rewriting, ResponseConfig responses, Protection limits) {
      return new RouteConfig(name, match, upstream, who, how, told, cache, rewriting, responses, limits);
    }
  }

  /**
   * The requests that a route serves.
   *
   * @param hosts host names without port (each one of the sp's origins)
   * @param path a prefix beginning with a slash; {@code /manager/} matches that and all below it
   * @param methods in capitals; all if empty. Routes of one path may share it by method
   */
  public record Match(Set<String> hosts, String path, Set<String> methods) {
    /** Creates a match of all methods. */
    public Match(Set<String> hosts, String path) {
      this(hosts, path, Set.of());
    }
  }

  /**
   * Who may come.
   *
   * @param policies evaluated in addition to {@code access}
   */
  public record Authorization(Access access, List<PolicyConfig> policies) {

    /** Returns the AuthnContextClassRefs that rules of the policies require. */
    public List<String> policyContexts() {
      return policies.stream()
          .flatMap(policy -> policy.rules().stream())
          .flatMap(rule -> rule.conditions().stream())
          .flatMap(c -> c instanceof PolicyConfig.Condition.Login(List<String> refs) ? refs.stream() : Stream.of())
          .distinct()
          .toList();
    }
  }

  /**
   * The way in which a person is identified.
   *
   * @param contract how the route identifies the person
   * @param identityProvider the one to which people of this route are sent; the sp's choice if empty
   * @param authnContext AuthnContextClassRefs (of a token: {@code acr} values) of which the login must have achieved one; any
   *     login if empty
   * @param bearer present if the route takes access tokens in place of sessions
   * @param session how fresh the session must be
   * @param replayPosts whether a POST that meets a login may be stored and repeated after a confirming click
   */
  public record SignOn(
      SignOnContract contract,
      Optional<String> identityProvider,
      List<String> authnContext,
      Optional<BearerConfig> bearer,
      SessionDemand session,
      boolean replayPosts) {
    /** A login by page, of any strength, at the sp's identity provider. */
    public static final SignOn USUAL = form(false, Optional.empty(), List.of(), Optional.empty());

    /** Creates a sign-on by login page, or by access tokens if {@code bearer} is present. */
    public static SignOn form(
        boolean replayPosts, Optional<String> identityProvider, List<String> authnContext, Optional<BearerConfig> bearer) {
      return new SignOn(SignOnContract.FORM, identityProvider, authnContext, bearer, SessionDemand.NONE, replayPosts);
    }
  }

  /**
   * What the app is told about the person.
   *
   * @param inject {@code Remote-User} and {@code Remote-Groups} if not configured
   * @param formFill the app's own login form, if it is to be filled
   */
  public record Identity(InjectConfig inject, Optional<FormFillConfig> formFill) {}

  /** What bounds the requests of a route. */
  public record Protection(TrafficConfig traffic, WebSocketConfig webSocket) {}

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
