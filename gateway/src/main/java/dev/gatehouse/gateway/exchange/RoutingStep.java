package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.forwardauth.ForwardAuth;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Addressing;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import java.util.List;
import java.util.Optional;

/** Finds a request's host, normalises its path and finds its route. */
final class RoutingStep {

  /** The result. */
  sealed interface Routing permits RoutedRequest, Endpoint, NotRouted, NotAddressed {}

  /** The request is for an endpoint of the service provider. */
  record Endpoint(AddressedHost to, String path) implements Routing {}

  /** The host is known, but has no route for the request. */
  record NotRouted(AddressedHost to, String path, Refusal refusal) implements Routing {}

  /** No realm of this node has the host, or the host is malformed. */
  record NotAddressed(EdgeRequest request, Refusal refusal) implements Routing {}

  private RoutingStep() {}

  /**
   * Routes a request.
   *
   * @param described whether another proxy asks about the request, so that routes without an app count, too
   * @param entry learns the client's address
   */
  static Routing route(
      ExchangeServices services, ClientConnection connection, RequestHead head, boolean described, AccessEntry entry) {
    return switch (connection.address(services.routes().table(), head, described)) {
      case Addressing.To(AddressedHost to) -> {
        entry.client(to.client());
        yield route(services, to, head, described);
      }
      case Addressing.Unknown(var origin, var from) -> {
        entry.client(from);
        yield new NotAddressed(
            EdgeRequests.of(head, origin, from, "/", new byte[0]), Refusal.of(Reason.HOST_UNKNOWN, "-"));
      }
      case Addressing.Malformed(var malformation) ->
          new NotAddressed(EdgeRequests.unreadable(connection), Refusal.of(malformation));
    };
  }

  private static Routing route(ExchangeServices services, AddressedHost to, RequestHead head, boolean described) {
    Optional<RequestPath> normalised = RequestPath.of(head.fields().bytes(), head.pathStart(), head.pathEnd());
    if (normalised.isEmpty() || described && !ForwardAuth.isPlain(head, normalised.get())) {
      return notRouted(to, "/", Reason.PATH_AMBIGUOUS, "-");
    }
    String path = normalised.get().value();
    String seen = normalised.get().withoutParameters();
    if (ServiceProviderEndpoints.isOwn(path) || seen != path && ServiceProviderEndpoints.isOwn(seen)) {
      return described ? notRouted(to, path, Reason.ROUTE_NOT_FOUND, "-") : new Endpoint(to, path);
    }
    return switch (to.site().find(to.origin(), normalised.get(), head.method())) {
      case Match.Ambiguous two -> notRouted(to, path, Reason.PATH_AMBIGUOUS, "-");
      case Match.None none -> notRouted(to, path, Reason.ROUTE_NOT_FOUND, "-");
      case Match.Found(Route route) when !described && route.isForeign() ->
          notRouted(to, path, Reason.ROUTE_NOT_FOUND, route.name());
      case Match.NoMethod(List<Route> there) when !described && there.getFirst().isForeign() ->
          notRouted(to, path, Reason.ROUTE_NOT_FOUND, there.getFirst().name());
      case Match.Found(Route route) ->
          new RoutedRequest(head, to, path, route, head.method(), List.of(), services.authn(), described);
      case Match.NoMethod(List<Route> there) -> {
        Route first = there.getFirst();
        String method = first.config().match().methods().iterator().next();
        yield new RoutedRequest(head, to, path, first, method, there, services.authn(), described);
      }
    };
  }

  private static Routing notRouted(AddressedHost to, String path, Reason reason, String route) {
    return new NotRouted(to, path, Refusal.of(reason, route));
  }
}
