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

    /** Returns this route with other policies. */
    public RouteConfig withPolicies(List<PolicyConfig> other) {
      return new RouteConfig(
          name, match, upstream, new Authorization(authorization.access(), other), signOn, identity, cache, rewrite, response,
          protection);
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
   * The access to a route.
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
   * @param assurance whether the session must be used at the device of its login; as the realm says if empty
   * @param replayPosts whether a POST that meets a login may be stored, and repeated after the person confirms it
   */
  public record SignOn(
      SignOnContract contract,
      Optional<String> identityProvider,
      List<String> authnContext,
      Optional<BearerConfig> bearer,
      SessionDemand session,
      Optional<SessionAssurance> assurance,
      boolean replayPosts) {
    /** Creates a sign-on with the realm's assurance of sessions. */
    public SignOn(
        SignOnContract contract, Optional<String> identityProvider, List<String> authnContext, Optional<BearerConfig> bearer,
        SessionDemand session, boolean replayPosts) {
      this(contract, identityProvider, authnContext, bearer, session, Optional.empty(), replayPosts);
    }

    /** A login by page, of any strength, at the sp's identity provider. */
    public static final SignOn USUAL = form(false, Optional.empty(), List.of(), Optional.empty());

    /** Creates a sign-on by login page, or by access tokens if {@code bearer} is present. */
    public static SignOn form(
        boolean replayPosts, Optional<String> identityProvider, List<String> authnContext, Optional<BearerConfig> bearer) {
      return new SignOn(SignOnContract.FORM, identityProvider, authnContext, bearer, SessionDemand.NONE, replayPosts);
    }
  }

  /**
   * The information about the person that the app receives.
   *
   * @param inject {@code Remote-User} and {@code Remote-Groups} if not configured
   * @param formFill the app's own login form, if it is to be filled
   */
  public record Identity(InjectConfig inject, Optional<FormFillConfig> formFill) {}

  /** The limits of a route's requests. */
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

  /** The people who may use a route. A request without a route is denied; every route has one of these. */
  public sealed interface Access {
    /** Anybody; no identity is injected. */
    record Public() implements Access {}

    /** Any person who is logged in. */
    record Protected() implements Access {}

    /** A person who is logged in and has at least one of these roles. */
    record RequiresRole(Set<String> anyOf) implements Access {}
  }
}
