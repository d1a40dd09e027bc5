package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.http.GuardedHttp;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Whoever owns a sector lists its redirect URIs in a file there, so that nobody else learns its pairwise subjects
 * (OpenID Connect Dynamic Client Registration 1.0, section 5).
 */
final class SectorCheck {

  private final GuardedHttp http;

  SectorCheck(GuardedHttp http) {
    this.http = http;
  }

  Outcome<ClientMetadata> check(ClientMetadata client) {
    if (client.sectorIdentifier().isEmpty()) {
      return Outcome.passed(client);
    }
    URI uri = client.sectorIdentifier().get();
    return switch (http.get(uri, "application/json")) {
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          status == 200 && listed(body).containsAll(client.redirectUris())
              ? Outcome.passed(client)
              : refused("sector_identifier_uri does not list the redirect URIs");
      case Answer.Failed(String problem) -> refused("sector_identifier_uri could not be fetched");
    };
  }

  private static List<?> listed(byte[] json) {
    String wrapped = "{\"uris\":" + new String(json, StandardCharsets.UTF_8) + "}";
    return StrictJson.object(wrapped.getBytes(StandardCharsets.UTF_8))
        .filter(object -> object.size() == 1)
        .map(object -> object.get("uris") instanceof List<?> list ? list : List.of())
        .orElse(List.of());
  }

  private static Outcome<ClientMetadata> refused(String why) {
    return Outcome.refused(Code.INVALID_CLIENT_METADATA, why);
  }
}
