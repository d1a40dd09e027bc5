package dev.gatehouse.idp.oidc;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Outcome;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;

/** Makes ID tokens (OpenID Connect Core 2), signed and, where the client wants it, encrypted. */
@FunctionalInterface
public interface IdTokens {

  /**
   * What else it speaks of.
   *
   * @param accessToken for {@code at_hash}
   * @param code for {@code c_hash}
   * @param nonce only where this token answers an authorization request
   * @param alone whether no access token comes along, so that the scopes' claims are in it (5.4)
   */
  record About(Optional<String> accessToken, Optional<String> code, Optional<String> nonce, boolean alone) {}

  /** Refused where the client's key for encryption cannot be had. */
  Outcome<String> issue(RealmRequest request, Client client, Authorization authorization, About about);
}
