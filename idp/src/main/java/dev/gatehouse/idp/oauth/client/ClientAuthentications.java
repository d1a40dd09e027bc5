package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Outcome;

/** Who calls the token endpoint and its like (RFC 6749, section 2.3; OpenID Connect Core 9; RFC 8705). */
@FunctionalInterface
public interface ClientAuthentications {

  /** Refused with {@code invalid_client}, or {@code invalid_request} where it tries two ways at once. */
  Outcome<AuthenticatedClient> authenticate(RealmRequest request, Parameters form);
}
