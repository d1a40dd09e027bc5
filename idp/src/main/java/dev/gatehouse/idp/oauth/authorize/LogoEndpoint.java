package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.authn.PartnerLinks;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientLogos;
import dev.gatehouse.idp.oauth.client.Clients;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A client's logo at our own origin, for login and consent pages. */
public final class LogoEndpoint implements Endpoint {

  static final String PATH = "oauth/logo";

  private static final int LONGEST_ID = 255;

  private final Clients clients;
  private final ClientLogos logos;

  LogoEndpoint(Clients clients, ClientLogos logos) {
    this.clients = clients;
    this.logos = logos;
  }

  /** The links and logo of a client for our pages. */
  public static PartnerLinks links(RealmRequest request, Client client) {
    Optional<URI> logo = client.config().about().logo();
    return PartnerLinks.of(client.config().about(), logo.map(uri -> address(request, client.id(), uri)));
  }

  /** The address changes with the client's logo, because browsers cache images for a day. */
  private static String address(RealmRequest request, String clientId, URI logo) {
    return request.here(PATH)
        + "?client_id=" + URLEncoder.encode(clientId, StandardCharsets.UTF_8)
        + "&v=" + Integer.toHexString(logo.hashCode());
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return request
        .http()
        .queryParameters()
        .one("client_id")
        .filter(id -> id.length() <= LONGEST_ID)
        .flatMap(id -> clients.find(request.realm(), id))
        .flatMap(logos::png)
        .map(LogoEndpoint::image)
        .orElseGet(() -> EdgeReply.of(404, "text/plain;charset=utf-8", "404 Not Found\n"));
  }

  private static EdgeReply image(byte[] png) {
    return EdgeReply.of(200, "image/png", png)
        .with("Cache-Control", "public, max-age=86400")
        .with("Content-Security-Policy", "default-src 'none'")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cross-Origin-Resource-Policy", "same-origin");
  }
}
