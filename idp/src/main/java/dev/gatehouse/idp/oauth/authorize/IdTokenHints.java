package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;

/**
 * Finds the person of an {@code id_token_hint} (OpenID Connect Core 3.1.2.1): an ID token that we issued, of any age.
 */
@FunctionalInterface
public interface IdTokenHints {

  /** Returns the {@code sub}; refuses a token that we did not issue, or that was issued to another client. */
  Result<String, OAuthError> subject(RealmRequest request, Client client, String idToken);
}
