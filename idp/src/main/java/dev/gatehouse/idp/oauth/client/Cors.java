package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Lets the pages of public clients read answers (WHATWG Fetch, CORS protocol), if their origin is that of a redirect
 * URI. Never with cookies: these endpoints use none.
 */
public final class Cors {

  private static final byte[] NOTHING = {};

  private Cors() {}

  /**
   * Wraps the endpoint and answers the browser's CORS preflight. The preflight is allowed for every origin; only the
   * request itself identifies the client, and only that client's own page may read the answer.
   */
  public static Endpoint preflighted(Endpoint endpoint) {
    return request -> request.http().method().equals("OPTIONS") ? preflight(request) : endpoint.handle(request);
  }

  private static EdgeReply preflight(RealmRequest request) {
    Optional<String> origin = request.http().headers().first("Origin");
    if (origin.isEmpty()) {
      return EdgeReply.noContent();
    }
    return new EdgeReply(
        204,
        Headers.of(
            List.of(
                new Headers.Field("Access-Control-Allow-Origin", origin.get()),
                new Headers.Field("Vary", "Origin"),
                new Headers.Field("Access-Control-Allow-Methods", "GET, POST"),
                new Headers.Field("Access-Control-Allow-Headers", "Authorization, Content-Type, DPoP"),
                new Headers.Field("Access-Control-Max-Age", "600"))),
        NOTHING);
  }

  /** Makes the reply readable for the client's own page; otherwise returns it unchanged. */
  public static EdgeReply readable(RealmRequest request, Client client, EdgeReply reply) {
    Optional<String> origin = request.http().headers().first("Origin");
    if (origin.isEmpty() || !client.config().isPublic() || !isOf(client, origin.get())) {
      return reply;
    }
    return reply
        .with("Access-Control-Allow-Origin", origin.get())
        .with("Vary", "Origin")
        .with("Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce");
  }

  private static boolean isOf(Client client, String origin) {
    return client.config().permissions().redirectUris().stream().anyMatch(uri -> origin(uri).filter(origin::equals).isPresent());
  }

  private static Optional<String> origin(String redirectUri) {
    try {
      return Optional.of(Origin.of(URI.create(redirectUri)).toString());
    } catch (IllegalArgumentException e) {
      // An app's private scheme: no page has that origin.
      return Optional.empty();
    }
  }
}
