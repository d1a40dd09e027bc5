package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingSignOn;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.util.Optional;

/** Authorization requests that wait for a person, as the login form sees them. */
final class PendingAuthorizations implements PendingSignOns {

  /** Part of the cookie names. */
  static final String FAMILY = "oauth";

  private final PendingRequests<AuthorizationRequest> pendingRequests;
  private final Clients clients;
  private final IdpSessions sessions;

  PendingAuthorizations(
      PendingRequests<AuthorizationRequest> pendingRequests, Clients clients, IdpSessions sessions) {
    this.pendingRequests = pendingRequests;
    this.clients = clients;
    this.sessions = sessions;
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    return pendingRequests.own(request, key)
        .flatMap(
            asked ->
                clients
                    .find(request.realm(), asked.clientId())
                    .flatMap(client -> pendingRequests.browser(request).map(browser -> signOn(request, key, asked, client, browser))));
  }

  /** @param browser hash of the browser's {@link dev.gatehouse.idp.authn.BrowserBinding} */
  PendingSignOn signOn(
      RealmRequest request, String key, AuthorizationRequest asked, Client client, String browser) {
    return new PendingSignOn(
        key,
        browser,
        client.config().name(),
        RequestedLogin.of(request, asked, client, sessions.current(request)),
        resume(request, key),
        Optional.of(request.here(AuthorizeConfig.CANCEL) + "?pending=" + key),
        asked.loginPage().hint(),
        asked.loginPage().uiLocales(),
        false,
        LogoEndpoint.links(request, client));
  }

  /** The address at which a request continues. We create the keys, so they need no escaping. */
  static String resume(RealmRequest request, String key) {
    return request.here(AuthorizeConfig.PATH) + "?pending=" + key;
  }
}
