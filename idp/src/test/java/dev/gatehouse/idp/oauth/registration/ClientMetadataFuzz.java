package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientUris;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client's metadata: refused, or a client whose addresses are safe, and that is read unchanged from the database. */
public final class ClientMetadataFuzz {

  private ClientMetadataFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    Optional<Map<String, Object>> sent = StrictJson.object(bytes);
    if (sent.isEmpty()
        || !(ClientMetadata.read(sent.get(), OAuthConfig.USUAL, false)
            instanceof Result.Accepted(ClientMetadata read))) {
      return;
    }
    ClientConfig client = read.config("id", Optional.empty());
    if (client.permissions().redirectUris().stream().anyMatch(uri -> ClientUris.problem(uri).isPresent())) {
      throw new IllegalStateException("a redirect URI that nobody may have");
    }
    byte[] kept = StrictJson.write(read.metadata()).getBytes(StandardCharsets.UTF_8);
    if (!(ClientMetadata.read(StrictJson.object(kept).orElseThrow(), OAuthConfig.USUAL, false)
            instanceof Result.Accepted(ClientMetadata again))
        || !again.config("id", Optional.empty()).equals(client)) {
      throw new IllegalStateException("what is kept is not what was registered");
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        """
        {"redirect_uris":["https://app.example/cb","org.example.app:/cb"],"response_types":["code id_token"],
        "token_endpoint_auth_method":"client_secret_jwt","token_endpoint_auth_signing_alg":"HS256","scope":"openid email",
        "subject_type":"pairwise","sector_identifier_uri":"https://app.example/s","client_name":"A","contacts":["a@b"],
        "default_max_age":60,"require_auth_time":true,"request_uris":["https://app.example/r#h"]}
        """
            .getBytes(StandardCharsets.UTF_8),
        """
        {"grant_types":["client_credentials"],"token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[]},
        "id_token_encrypted_response_alg":"ECDH-ES","dpop_bound_access_tokens":true,"backchannel_logout_uri":"https://a.example/o"}
        """
            .getBytes(StandardCharsets.UTF_8));
  }
}
