package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ErrorPages;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.Authorization;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.Identity;
import dev.gatehouse.common.realm.GatewayConfig.Match;
import dev.gatehouse.common.realm.GatewayConfig.Protection;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.GatewayConfig.SignOn;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.PathTemplate;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code routes} of a realm. */
final class RoutesYaml {

  private final List<YamlSection> routes;
  private final Optional<SpConfig> sp;
  private final List<ProviderConfig> providers;
  private final PoliciesYaml policies;
  private final boolean directory;
  private final boolean certificates;
  private final Set<Origin> origins;
  private final Set<String> hosts;
  private final Map<String, Integer> names = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();

  RoutesYaml(
      List<YamlSection> routes,
      Optional<SpConfig> sp,
      List<ProviderConfig> providers,
      PoliciesYaml policies,
      boolean directory,
      boolean certificates) {
    this.routes = routes;
    this.certificates = certificates;
    this.directory = directory;
    this.policies = policies;
    this.sp = sp;
    this.providers = providers;
    this.origins =
        sp.stream()
            .flatMap(s -> Stream.concat(Stream.of(s.home()), s.otherOrigins().stream()))
            .collect(Collectors.toSet());
    this.hosts = origins.stream().map(Origin::host).collect(Collectors.toUnmodifiableSet());
  }

  GatewayConfig read(ErrorPages errorPages) {
    return new GatewayConfig(routes.stream().flatMap(section -> route(section).stream()).toList(), policies.named(),
        errorPages);
  }

  private Optional<RouteConfig> route(YamlSection section) {
    Optional<String> name = section.find(RouteKeys.NAME);
    Set<String> served = hosts(section);
    Optional<String> path = section.find(RouteKeys.PATH);
    boolean asked = section.says(RouteKeys.UPSTREAM, "none");
    Optional<UpstreamConfig> upstream =
        asked ? Optional.of(UpstreamConfig.NONE) : new UpstreamYaml(section, origins).read();
    Access access = access(section);
    InjectConfig inject = new InjectYaml(section, access, asked).read();
    boolean replayPosts = section.get(RouteKeys.REPLAY_POSTS);
    if (replayPosts && access instanceof Access.Public) {
      section.problem(RouteKeys.REPLAY_POSTS, "has no effect on a public route", "remove it: no login interrupts a POST here");
    }
    Optional<String> identityProvider = section.find(RouteKeys.IDENTITY_PROVIDER);
    List<String> authnContext = section.all(RouteKeys.AUTHN_CONTEXT).stream().distinct().toList();
    Optional<YamlSection> bearerSection = section.section(RouteKeys.BEARER);
    Optional<BearerConfig> bearer = bearerSection.flatMap(b -> new BearerYaml(b, providers).read());
    if (access instanceof Access.Public) {
      Stream.of(RouteKeys.IDENTITY_PROVIDER, RouteKeys.AUTHN_CONTEXT, RouteKeys.BEARER)
          .filter(section::has)
          .forEach(key -> section.problem(key, "stands on a public route, where nobody logs in", "remove it"));
    }
    identityProvider
        .filter(chosen -> !sp.map(s -> s.identityProviders().contains(chosen)).orElse(true))
        .ifPresent(
            chosen ->
                section.problem(
                    RouteKeys.IDENTITY_PROVIDER,
                    "`" + chosen + "` is not one of the sp's",
                    "add it to sp.identityProvider, or write one that is there"));
    if (bearerSection.isPresent()) {
      Stream.of(RouteKeys.IDENTITY_PROVIDER, RouteKeys.REPLAY_POSTS)
          .filter(section::has)
          .forEach(key -> section.problem(key, "has no effect on a route that takes access tokens", "remove it, or bearer"));
    }
    Set<Origin> reached =
        origins.stream().filter(origin -> served.contains(origin.host())).collect(Collectors.toUnmodifiableSet());
    SignOnYaml signOn = new SignOnYaml(section, access, reached, directory, certificates);
    SignOnContract contract = signOn.read();
    if (inject.replacesAuthorization() && bearer.filter(BearerConfig::forwardToken).isPresent()) {
      section.problem(RouteKeys.INJECT, "replaces the access token that bearer.forwardToken forwards",
          "remove forwardToken, or inject into another header");
    }
    Set<String> methods = RuleYaml.methods(section, RouteKeys.METHODS);
    String place = path.orElse("/");
    String called = name.orElseGet(() -> name(section, served, place, methods));
    path.ifPresent(known -> unique(section, served, known, methods, called));
    Optional<FormFillConfig> fill = new FormFillYaml(section, called, access, bearer.isPresent()).read();
    if (contract instanceof SignOnContract.Certificate && fill.filter(FormFillConfig::needsPassword).isPresent()) {
      section.problem(
          RouteKeys.FORM_FILL, "needs the password of a login, but contract: certificate has none", "use secret:NAME");
    }
    if (fill.isPresent() && !methods.isEmpty() && !methods.contains("POST")) {
      section.problem(RouteKeys.FORM_FILL, "sends a form by POST, which this route does not take", "add POST to methods");
    }
    // Every key is read, even if others are wrong: otherwise unread keys would be reported as unknown.
    boolean isPublic = access instanceof Access.Public;
    RouteConfig route =
        new RouteConfig(
            called,
            new Match(Collections.unmodifiableSet(served), place, methods),
            upstream.orElse(UpstreamConfig.NONE),
            new Authorization(access, policies.of(section, called, PathTemplate.variables(place), isPublic)),
            new SignOn(contract, identityProvider, authnContext, bearer, signOn.session(), signOn.assurance(contract), replayPosts),
            new Identity(inject, fill),
            CacheYaml.read(section),
            new RewriteYaml(section, path).read(),
            new ResponseYaml(section).read(),
            new Protection(TrafficYaml.read(section, isPublic), TrafficYaml.webSocket(section)));
    boolean complete = path.isPresent() && upstream.isPresent() && bearer.isPresent() == bearerSection.isPresent();
    return complete ? Optional.of(route) : Optional.empty();
  }

  private void unique(YamlSection section, Set<String> served, String path, Set<String> methods, String called) {
    unique(section, section.has(RouteKeys.NAME) ? RouteKeys.NAME : RouteKeys.PATH, names, called, "the route " + called);
    // A path matches the same requests with and without its last slash. Routes of one path may share it by method.
    String place = PathTemplate.place(path);
    for (String host : served) {
      String at = path + " on " + host;
      if (methods.isEmpty()) {
        unique(section, RouteKeys.PATH, places, host + place, at);
      }
      methods.forEach(method -> unique(section, RouteKeys.METHODS, places, method + " " + host + place, method + " " + at));
    }
  }

  private static String name(YamlSection section, Set<String> served, String path, Set<String> methods) {
    String where = section.has(RouteKeys.HOSTS) ? String.join(",", served) + path : path;
    return methods.isEmpty() ? where : String.join(",", methods) + " " + where;
  }

  private static void unique(YamlSection section, Key<?> key, Map<String, Integer> seen, String what, String shown) {
    Integer first = seen.putIfAbsent(what, section.line());
    if (first != null && first != section.line()) {
      section.problem(key, shown + " is there already, on line " + first,
          "keep one of them, or give it a name of its own");
    }
  }

  private Set<String> hosts(YamlSection section) {
    List<YamlValue> values = section.all(RouteKeys.HOSTS);
    if (!section.has(RouteKeys.HOSTS)) {
      return hosts;
    }
    Set<String> served = new LinkedHashSet<>();
    for (YamlValue value : values) {
      String host = value.text().toLowerCase(Locale.ROOT);
      if (hosts.isEmpty() || hosts.contains(host)) {
        served.add(host);
      } else {
        value.wrong(
            value.shown() + " is not a host of this realm's sp",
            "add its origin to sp.otherOrigins, or write one of " + String.join(", ", hosts) + " (without port)");
      }
    }
    if (values.isEmpty()) {
      section.problem(RouteKeys.HOSTS, "names no host", "write one, or remove the key for all hosts of the sp");
    }
    return served;
  }

  private static Access access(YamlSection section) {
    Set<String> roles = new LinkedHashSet<>(section.all(RouteKeys.ROLES));
    boolean open = section.get(RouteKeys.ACCESS);
    if (section.has(RouteKeys.ROLES) && open) {
      section.problem(RouteKeys.ROLES, "stands on a public route", "remove access: public, or the roles");
    }
    if (section.has(RouteKeys.ROLES) && section.isEmpty(RouteKeys.ROLES)) {
      section.problem(RouteKeys.ROLES, "names no role", "write one or more, or remove the key: anybody who is logged in may use the route");
    }
    if (!roles.isEmpty()) {
      return new Access.RequiresRole(Collections.unmodifiableSet(roles));
    }
    return open ? new Access.Public() : new Access.Protected();
  }
}
