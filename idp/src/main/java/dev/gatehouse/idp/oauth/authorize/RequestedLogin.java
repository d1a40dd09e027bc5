package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import java.util.Optional;

/**
 * Determines the demands of an authorization request on the login. An acr that is only preferred (OpenID Connect Core
 * 5.5.1) counts if this realm can fulfil it: the person then steps up (RFC 9470, section 5), but is never refused for
 * it.
 */
final class RequestedLogin {

  private RequestedLogin() {}

  static AuthnWanted of(
      RealmRequest request, AuthorizationRequest asked, Client client, Optional<IdpSession> session) {
    Optional<LoginContract> least = client.config().login().contract().flatMap(LoginContract::of);
    AuthnWanted all = new AuthnWanted(asked.authentication().acr().requested(), least, asked.notBefore());
    return asked.authentication().acr().essential() || !(AuthnDecisions.of(request, all, session) instanceof AuthnDecision.Never)
        ? all
        : new AuthnWanted(Optional.empty(), least, asked.notBefore());
  }
}
