package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the owner of a sector lists the redirect URIs in a document there, so that no other client can learn the
 * sector's pairwise subjects (OpenID Connect Dynamic Client Registration 1.0, section 5). Redirect URIs are a proof because
 * subjects arrive there. At a device they arrive wherever it is, so that a client could name those of another one.
 */
final class SectorCheck {

  private static final Logger LOG = LoggerFactory.getLogger(SectorCheck.class);

  private final PublicHttp http;

  SectorCheck(PublicHttp http) {
    this.http = http;
  }

  Result<ClientMetadata, OAuthError> check(ClientMetadata client) {
    ClientConfig config = client.config("-", Optional.empty());
    if (client.subject().type() instanceof SubjectType.Pairwise && config.permissions().grants().contains(GrantType.DEVICE)) {
      return refused("subject_type pairwise is not for clients of devices, which prove no sector");
    }
    if (client.subject().identifier().isEmpty()) {
      return Result.accepted(client);
    }
    URI uri = client.subject().identifier().get();
    return switch (http.get(uri, "application/json")) {
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          status == 200 ? check(client, uri, body) : refused(uri, "it answered with status " + status);
      case Answer.Failed(Cause cause, String problem) -> {
        LOG.info("sector_identifier_uri {} could not be fetched: {}", uri, problem);
        yield refused("sector_identifier_uri could not be fetched: " + cause.text());
      }
    };
  }

  private static Result<ClientMetadata, OAuthError> check(ClientMetadata client, URI uri, byte[] json) {
    Optional<List<?>> listed = listed(json);
    if (listed.isEmpty()) {
      return refused(uri, "its content is not a JSON array");
    }
    return listed.get().containsAll(client.redirectUris())
        ? Result.accepted(client)
        : refused("sector_identifier_uri does not list the redirect URIs");
  }

  private static Optional<List<?>> listed(byte[] json) {
    String wrapped = "{\"uris\":" + new String(json, StandardCharsets.UTF_8) + "}";
    return StrictJson.object(wrapped.getBytes(StandardCharsets.UTF_8))
        .filter(object -> object.size() == 1)
        .flatMap(object -> object.get("uris") instanceof List<?> list ? Optional.of(list) : Optional.empty());
  }

  private static Result<ClientMetadata, OAuthError> refused(URI uri, String why) {
    LOG.info("sector_identifier_uri {} is not usable: {}", uri, why);
    return refused("sector_identifier_uri is not usable: " + why);
  }

  private static Result<ClientMetadata, OAuthError> refused(String why) {
    return OAuthError.refused(Code.INVALID_CLIENT_METADATA, why);
  }
}
