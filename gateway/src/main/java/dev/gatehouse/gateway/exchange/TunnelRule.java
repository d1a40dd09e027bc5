package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.policy.AuthnRequirement;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.route.VirtualHost;
import dev.gatehouse.sp.session.AppSession;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whether the route that now has the address of a tunnel permits its subject: a change of the routes, of a person's roles or of the time of
 * day ends the tunnel, as it would refuse the next request. Does not hold the request that opened the tunnel. Used by one event loop.
 */
final class TunnelRule implements Predicate<Subject> {

  /** The method of every handshake that opens a tunnel (RFC 6455, section 4.1). */
  private static final String METHOD = "GET";

  private final ExchangeServices services;
  private final Origin origin;
  private final InetAddress client;
  private final String realm;
  private final RequestPath path;
  private final DecisionMemo memo = new DecisionMemo(false, () -> 0);

  /** @param opened the request that opens the tunnel */
  TunnelRule(ExchangeServices services, PermittedRequest opened) {
    this.services = services;
    this.origin = opened.to().origin();
    this.client = opened.to().client();
    this.realm = opened.to().site().realm().name();
    byte[] normalised = opened.path().getBytes(StandardCharsets.ISO_8859_1);
    this.path = RequestPath.of(normalised, 0, normalised.length).orElseThrow();
  }

  @Override
  public boolean test(Subject subject) {
    Optional<VirtualHost> site =
        services.routes().table().site(origin.host()).filter(s -> s.answersTo(origin) && s.realm().name().equals(realm));
    return site.isPresent()
        && site.get().find(origin, path, METHOD) instanceof Match.Found(Route route)
        && !route.isForeign()
        && permits(decide(route, subject));
  }

  private Decision decide(Route route, Subject subject) {
    RequestAttributes request = new Attributes(route);
    return switch (subject) {
      case Subject.Anonymous anonymous -> memo.decide(route, null, request);
      case Subject.Person(AppSession session) -> memo.decide(route, session, request);
      case Subject.Holder holder -> route.rule().decide(holder, request);
    };
  }

  /** The age of the login is checked apart, and what is said in a tunnel is no use of the route. */
  private static boolean permits(Decision decision) {
    return switch (decision) {
      case Decision.Permit permit -> true;
      case Decision.Challenge challenge -> challenge.need() instanceof AuthnRequirement.LoginAnew;
      case Decision.Deny deny -> false;
    };
  }

  /** The attributes that a request like the one that opened the tunnel would have now. */
  private final class Attributes implements RequestAttributes {

    private final Route route;

    private Attributes(Route route) {
      this.route = route;
    }

    @Override
    public String method() {
      return METHOD;
    }

    @Override
    public String host() {
      return origin.host();
    }

    @Override
    public String path() {
      return path.value();
    }

    @Override
    public InetAddress client() {
      return client;
    }

    @Override
    public Instant now() {
      return services.authn().time().instant();
    }

    @Override
    public Instant lastUse(SessionId session) {
      return services.authn().uses().last(session);
    }

    @Override
    public Optional<String> variable(String name) {
      return route.variable(name, path.value());
    }
  }
}
