package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;

/**
 * A request to the token endpoint by an authenticated client.
 *
 * @param confirmation the key to which its tokens will be bound
 */
record TokenRequest(
    RealmRequest request, AuthenticatedClient authenticated, TokenForm form, Optional<Confirmation> confirmation) {

  Client client() {
    return authenticated.client();
  }
}
