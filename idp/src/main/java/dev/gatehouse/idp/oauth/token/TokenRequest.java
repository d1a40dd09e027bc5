package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;

/**
 * A request to the token endpoint by a client that proved who it is.
 *
 * @param confirmation what its tokens will be bound to
 */
record TokenRequest(
    RealmRequest request, AuthenticatedClient authenticated, TokenForm form, Optional<Confirmation> confirmation) {

  Client client() {
    return authenticated.client();
  }
}
