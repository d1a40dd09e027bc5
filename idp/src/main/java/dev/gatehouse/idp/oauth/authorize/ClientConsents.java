package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.consent.ConsentCheck;
import dev.gatehouse.idp.consent.ConsentDecision;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.Wanted;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * People's consents for clients: scopes by name, and claims that were requested individually. A consent is required if
 * the client's registration says so, and always if the request demands it ({@code prompt=consent}).
 */
public final class ClientConsents {

  /** The prefix of client IDs in stored consents: no entity ID begins with it. */
  private static final String PREFIX = "oauth:";

  static final String CLAIM = "claim:";

  private final ConsentCheck check;

  public ClientConsents(ConsentCheck check) {
    this.check = check;
  }

  /** The client's name among the partners of consents. */
  public static String partner(String clientId) {
    return PREFIX + clientId;
  }

  /** The client ID of a partner; empty if it is a partner of another protocol. */
  public static Optional<String> clientId(String partner) {
    return partner.startsWith(PREFIX) ? Optional.of(partner.substring(PREFIX.length())) : Optional.empty();
  }

  /** @param waited whether the person may have answered meanwhile */
  ConsentDecision decide(AuthorizationRequest asked, Client client, PersonId person, boolean waited) {
    if (!client.config().login().consent() && !asked.asksForConsent()) {
      return new ConsentDecision.NotNeeded();
    }
    ConsentDecision decision = check.decide(asked.realm(), partner(client.id()), person, () -> names(asked.wanted()));
    // An earlier consent does not count if a new one is demanded, even if it was given just now.
    return decision instanceof ConsentDecision.Given(var since)
            && asked.asksForConsent()
            && (!waited || since.isBefore(asked.receivedAt()))
        ? new ConsentDecision.Missing()
        : decision;
  }

  /** Decides for a request that does not demand consent by itself. */
  ConsentDecision decide(String realm, Client client, PersonId person, Wanted wanted) {
    return client.config().login().consent()
        ? check.decide(realm, partner(client.id()), person, () -> names(wanted))
        : new ConsentDecision.NotNeeded();
  }

  static Set<String> names(Wanted wanted) {
    Set<String> names = new TreeSet<>(wanted.scopes());
    wanted.claims().ifPresent(claims -> claims.names().forEach(claim -> names.add(CLAIM + claim)));
    return names;
  }
}
