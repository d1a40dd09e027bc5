package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.authn.AuthnServices;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Route;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A request whose route is known. Rules may use its attributes.
 *
 * @param path normalised
 * @param method the method to decide by: the request's own, or one of the route's if no route has that
 * @param withoutMethod the routes of the path, if none of them has the request's method
 * @param described whether another proxy asks about the request
 */
record RoutedRequest(
    RequestHead head, AddressedHost to, String path, Route route, String method, List<Route> withoutMethod,
    AuthnServices authn, boolean described)
    implements RoutingStep.Routing, RequestAttributes {

  /** The same request with another method. */
  RoutedRequest as(Route other, String otherMethod) {
    return new RoutedRequest(head, to, path, other, otherMethod, withoutMethod, authn, described);
  }

  /**
   * Whether the session must be used at the device of its login. At a host that another proxy serves we have no pages, so that no
   * browser could prove a key there.
   */
  SessionAssurance assurance() {
    if (described && route.isForeign()) {
      return SessionAssurance.OFF;
    }
    Optional<SessionAssurance> own = route.config().signOn().assurance();
    return own.isPresent()
        ? own.get()
        : to.site().realm().sp().map(sp -> sp.session().assurance()).orElse(SessionAssurance.OFF);
  }

  @Override
  public Instant lastUse(SessionId session) {
    return authn.uses().last(session);
  }

  @Override
  public String host() {
    return to.origin().host();
  }

  @Override
  public InetAddress client() {
    return to.client();
  }

  @Override
  public Instant now() {
    return authn.time().instant();
  }

  @Override
  public Optional<String> variable(String name) {
    return route.variable(name, path);
  }
}
