package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Map;
import java.util.Optional;

/**
 * Reads ID tokens that come back as hints (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0, section 2). Signature,
 * type and issuer must be ours; the age does not matter. Any other token is ignored.
 */
public final class IdTokenReader {

  /** @param sid the session in which it was issued */
  record Hint(String subject, String clientId, Optional<String> sid) {}

  private final JwsVerifier verifier;
  private final EncryptedHints encrypted;

  /** @param keys for hints that are encrypted for us */
  public IdTokenReader(JwsVerifier verifier, KeyRings keys) {
    this.verifier = verifier;
    this.encrypted = new EncryptedHints(keys);
  }

  /** Reads one of our tokens, of any client, also if it is encrypted for us. */
  Optional<Hint> read(RealmRequest request, String idToken) {
    return encrypted
        .open(request.realm(), idToken)
        .flatMap(signed -> verifier.read(request.realm(), IdTokens.TYPE, signed))
        .flatMap(StrictJson::object)
        // A signed UserInfo response has no exp, and is not an ID token.
        .filter(claims -> request.entityId().equals(claims.get("iss")) && claims.containsKey("exp"))
        .flatMap(IdTokenReader::hint);
  }

  /** Returns the {@code sub} of one of our tokens for this client, for the authorization endpoint. */
  public Result<String, OAuthError> subject(RealmRequest request, Client client, String idToken) {
    Optional<Hint> hint = read(request, idToken);
    if (hint.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "id_token_hint is no ID token of ours");
    }
    return hint.get().clientId().equals(client.id())
        ? Result.accepted(hint.get().subject())
        : OAuthError.refused(Code.INVALID_REQUEST, "id_token_hint is of another client");
  }

  private static Optional<Hint> hint(Map<String, Object> claims) {
    return claims.get("sub") instanceof String subject && claims.get("aud") instanceof String client
        ? Optional.of(new Hint(subject, client, Optional.ofNullable(claims.get("sid")).map(String::valueOf)))
        : Optional.empty();
  }
}
