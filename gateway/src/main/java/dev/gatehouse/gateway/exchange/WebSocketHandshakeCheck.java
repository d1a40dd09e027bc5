package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.websocket.Handshake;
import java.net.URI;
import java.util.Optional;

/**
 * The result of the check whether a permitted request opens a WebSocket. Browsers let every page open a WebSocket to any
 * host and send the cookies along; so the page's origin must be the request's own or one that the route names (RFC 6455,
 * section 10.2). A client without Origin is not a browser; but with cookies it is refused nevertheless.
 */
sealed interface WebSocketHandshakeCheck {

  /** A request that is not a WebSocket handshake. */
  record Ordinary() implements WebSocketHandshakeCheck {}

  record Open(Handshake.Asked asked) implements WebSocketHandshakeCheck {}

  record Refused(Refusal refusal) implements WebSocketHandshakeCheck {}

  WebSocketHandshakeCheck ORDINARY = new Ordinary();

  /** @param possible whether the client's connection can become a tunnel */
  static WebSocketHandshakeCheck enter(PermittedRequest request, boolean possible) {
    String route = request.route().name();
    return switch (Handshake.of(request.head())) {
      case Handshake.None none -> ORDINARY;
      case Handshake.Wrong wrong -> new Refused(Refusal.of(Reason.WEBSOCKET_HANDSHAKE, route));
      case Handshake.OtherVersion other ->
          new Refused(Refusal.of(Reason.WEBSOCKET_VERSION, route).with("Sec-WebSocket-Version", "13"));
      case Handshake.Asked asked -> {
        if (!possible) {
          yield new Refused(Refusal.of(Reason.WEBSOCKET_HANDSHAKE, route));
        }
        yield mayOpen(request) ? new Open(asked) : new Refused(Refusal.of(Reason.WEBSOCKET_ORIGIN, route));
      }
    };
  }

  private static boolean mayOpen(PermittedRequest request) {
    Optional<String> named = Handshake.origin(request.head());
    if (named.isEmpty()) {
      return request.head().fields().next(FieldName.COOKIE, 0) < 0;
    }
    return parsed(named.get())
        .filter(
            page ->
                page.equals(request.to().origin())
                    || request.route().config().protection().webSocket().origins().contains(page))
        .isPresent();
  }

  /** Parses an origin, exactly as browsers write it; empty for {@code null} and everything else. */
  private static Optional<Origin> parsed(String text) {
    try {
      Origin origin = Origin.of(new URI(text));
      return origin.toString().equals(text) ? Optional.of(origin) : Optional.empty();
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
