package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.WaitingRoom;
import dev.gatehouse.idp.authn.WaitingRooms;
import dev.gatehouse.idp.authn.WaitingSignOn;
import dev.gatehouse.idp.authn.WaitingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.util.Optional;

/** Authorization requests that wait for a person, as the login form sees them. */
final class PendingAuthorizations implements WaitingSignOns {

  /** Names the cookies. */
  private static final String FAMILY = "oauth";

  private final WaitingRoom<AuthorizationRequest> room;
  private final Clients clients;
  private final IdpSessions sessions;

  PendingAuthorizations(WaitingRooms rooms, Clients clients, IdpSessions sessions) {
    this.room = rooms.room(FAMILY, new AuthorizationRequestCodec());
    this.clients = clients;
    this.sessions = sessions;
  }

  WaitingRoom<AuthorizationRequest> room() {
    return room;
  }

  @Override
  public Optional<WaitingSignOn> find(RealmRequest request, String key) {
    return room.own(request, key)
        .flatMap(
            asked ->
                clients
                    .find(request.realm(), asked.clientId())
                    .flatMap(client -> room.browser(request).map(browser -> signOn(request, key, asked, client, browser))));
  }

  private WaitingSignOn signOn(
      RealmRequest request, String key, AuthorizationRequest asked, Client client, String browser) {
    return new WaitingSignOn(
        key,
        browser,
        client.config().name(),
        WantedLogin.of(request, asked, client, sessions.current(request)),
        resume(request, key),
        Optional.of(request.here(AuthorizeConfig.CANCEL) + "?pending=" + key),
        asked.loginHint(),
        asked.uiLocales(),
        LogoEndpoint.links(request, client));
  }

  /** Where a request goes on. Keys are of our own making and need no escaping. */
  static String resume(RealmRequest request, String key) {
    return request.here(AuthorizeConfig.PATH) + "?pending=" + key;
  }
}
