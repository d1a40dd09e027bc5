package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.saml.slo.ClientParticipants;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Tells where clients want notifications of logouts (OpenID Connect Front-Channel Logout 1.0, section 2; Back-Channel
 * Logout 1.0, section 2.2). A client that registered neither address gets none.
 */
public final class OidcClients implements ClientParticipants {

  private final Realms realms;
  private final Clients clients;

  public OidcClients(Realms realms, Clients clients) {
    this.realms = realms;
    this.clients = clients;
  }

  @Override
  public Optional<Reach> reach(String realmName, Participant participant) {
    Optional<Realm> realm = realms.find(realmName);
    Optional<String> issuer = realm.flatMap(Realm::idp).map(idp -> idp.entityId(realmName));
    return realm
        .flatMap(found -> clients.find(found, participant.entityId()))
        .filter(client -> hears(client.config().logout()))
        .map(client -> reach(client, issuer.orElse(""), participant.sessionIndex()));
  }

  /** The client's display name; its ID if it is gone. */
  public String displayName(String realm, Participant participant) {
    return realms
        .find(realm)
        .flatMap(found -> clients.find(found, participant.entityId()))
        .map(client -> client.config().name())
        .orElse(participant.entityId());
  }

  private static boolean hears(Logout logout) {
    return logout.frontChannel().isPresent() || logout.backChannel().isPresent();
  }

  private static Reach reach(Client client, String issuer, String sid) {
    Logout logout = client.config().logout();
    Optional<String> frame =
        logout.frontChannel().map(page -> logout.frontChannelSession() ? with(page, issuer, sid) : page.toString());
    return new Reach(client.config().name(), frame, logout.backChannel().isPresent());
  }

  /** The page's own parameters remain (Front-Channel Logout 1.0, section 3). */
  private static String with(URI page, String issuer, String sid) {
    String joint = page.getRawQuery() == null ? "?" : "&";
    return page + joint + "iss=" + URLEncoder.encode(issuer, StandardCharsets.UTF_8) + "&sid=" + sid;
  }
}
