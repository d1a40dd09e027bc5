package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Outcome;
import dev.gatehouse.idp.oauth.client.Client;

/** Whom an {@code id_token_hint} means (OpenID Connect Core 3.1.2.1): an ID token of ours, of any age. */
@FunctionalInterface
public interface IdTokenHints {

  /** The {@code sub}; refused where it is not ours, or another client's. */
  Outcome<String> subject(RealmRequest request, Client client, String idToken);
}
