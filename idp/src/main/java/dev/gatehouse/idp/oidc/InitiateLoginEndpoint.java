package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Begins a login at a client from here (OpenID Connect Core 4): an address for bookmarks and portals, with
 * {@code client_id}. It redirects only to the address that the client registered for this, with our issuer. Other
 * parameters, such as {@code target_link_uri}, are not passed on, so that another site's page cannot send people to a
 * place of its choice at the client.
 */
final class InitiateLoginEndpoint implements Endpoint {

  static final String PATH = "oauth/initiate";

  private final Clients clients;
  private final Refusals refusals;

  InitiateLoginEndpoint(Clients clients, Refusals refusals) {
    this.clients = clients;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    Optional<String> clientId = query.one("client_id");
    Optional<Client> client = clientId.flatMap(id -> clients.find(request.realm(), id));
    if (client.isEmpty()) {
      return refusals.client(request, clientId.orElse("-"), "login at a client", "CLIENT_UNKNOWN", "");
    }
    return client
        .get()
        .config()
        .about()
        .initiateLogin()
        .map(uri -> EdgeReply.seeOther(withIssuer(uri, request.entityId())))
        .orElseGet(
            () -> refusals.client(request, client.get().id(), "login at a client", "NO_INITIATE_LOGIN_URI", ""));
  }

  private static String withIssuer(URI uri, String issuer) {
    String separator = uri.getRawQuery() == null ? "?" : "&";
    return uri + separator + "iss=" + URLEncoder.encode(issuer, StandardCharsets.UTF_8);
  }
}
