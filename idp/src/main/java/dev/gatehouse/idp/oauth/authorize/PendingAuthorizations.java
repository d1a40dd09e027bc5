package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.WaitingRoom;
import dev.gatehouse.idp.authn.WaitingSignOn;
import dev.gatehouse.idp.authn.WaitingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.util.Optional;

/** Authorization requests that wait for a person, as the login form sees them. */
final class PendingAuthorizations implements WaitingSignOns {

  /** The name of the store. */
  static final String STORE = "oauth-pending-requests";

  private final WaitingRoom<PendingAuthorization> room;
  private final Clients clients;
  private final IdpSessions sessions;

  PendingAuthorizations(WaitingRoom<PendingAuthorization> room, Clients clients, IdpSessions sessions) {
    this.room = room;
    this.clients = clients;
    this.sessions = sessions;
  }

  @Override
  public Optional<WaitingSignOn> find(RealmRequest request, String key) {
    return room.find(request, key)
        .flatMap(
            pending ->
                clients
                    .find(request.realm(), pending.asked().clientId())
                    .map(client -> signOn(request, key, pending, client)));
  }

  private WaitingSignOn signOn(RealmRequest request, String key, PendingAuthorization pending, Client client) {
    AuthorizationRequest asked = pending.asked();
    return new WaitingSignOn(
        key,
        pending.browser().orElseThrow(),
        client.config().name(),
        WantedLogin.of(request, asked, client, sessions.current(request)),
        resume(request, key),
        Optional.of(request.here(AuthorizeConfig.CANCEL) + "?pending=" + key),
        asked.loginHint(),
        asked.uiLocales());
  }

  /** Where a request goes on. Keys are of our own making and need no escaping. */
  static String resume(RealmRequest request, String key) {
    return request.here(AuthorizeConfig.PATH) + "?pending=" + key;
  }
}
