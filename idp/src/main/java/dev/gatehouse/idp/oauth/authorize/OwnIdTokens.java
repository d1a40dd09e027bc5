package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oidc.JwsVerifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** ID tokens that we issued to the client itself, told by our signature; expired ones too, since they only say who. */
public final class OwnIdTokens implements IdTokenHints {

  private final JwsVerifier verifier;

  public OwnIdTokens(JwsVerifier verifier) {
    this.verifier = verifier;
  }

  @Override
  public Outcome<String> subject(RealmRequest request, Client client, String idToken) {
    Optional<Map<String, Object>> claims =
        verifier.read(request.realm(), "JWT", idToken).flatMap(StrictJson::object);
    boolean isTheClients =
        claims
            .filter(all -> request.entityId().equals(all.get("iss")))
            .filter(all -> isFor(client.id(), all.get("aud")))
            .isPresent();
    return isTheClients && claims.get().get("sub") instanceof String subject
        ? Outcome.passed(subject)
        : Outcome.refused(Code.INVALID_REQUEST, "id_token_hint is no ID token of ours for this client");
  }

  private static boolean isFor(String clientId, @org.jspecify.annotations.Nullable Object audience) {
    return audience instanceof List<?> several ? several.contains(clientId) : clientId.equals(audience);
  }
}
