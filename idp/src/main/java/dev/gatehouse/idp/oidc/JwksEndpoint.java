package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.JwkSets;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code jwks_uri} (OpenID Connect Discovery 3, RFC 8414, section 2): for each kind the current key, the next and
 * the previous one, so that a client that fetches it from time to time never meets a token with an unknown key. It also
 * contains the keys for encrypting ID tokens that come back as hints.
 */
final class JwksEndpoint implements Endpoint {

  static final String PATH = "oauth/jwks";

  private final KeyRings keys;

  JwksEndpoint(KeyRings keys) {
    this.keys = keys;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    KeyRing ring = keys.of(request.realm());
    return PublicJson.reply(JwkSets.of(published(ring), ring.published(KeyUse.IDP_ENCRYPTION)));
  }

  /** All keys that may have signed a token that is still valid. */
  static List<VerificationKey> published(KeyRing ring) {
    return Arrays.stream(KeyUse.values())
        .filter(KeyUse::isTokens)
        .flatMap(use -> ring.published(use).stream())
        .toList();
  }
}
