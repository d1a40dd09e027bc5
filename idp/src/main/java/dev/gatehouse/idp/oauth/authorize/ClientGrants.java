package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.consent.ConsentPartners;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The clients that may act in people's names: with their consent, or with authorizations for which no consent was
 * required.
 */
public final class ClientGrants implements ConsentPartners {

  private final Clients clients;
  private final Authorizations authorizations;
  private final SpPartners serviceProviders;

  public ClientGrants(Clients clients, Authorizations authorizations, SpPartners serviceProviders) {
    this.clients = clients;
    this.authorizations = authorizations;
    this.serviceProviders = serviceProviders;
  }

  @Override
  public String displayName(RealmRequest request, String partner) {
    Optional<String> clientId = ClientConsents.clientId(partner);
    return clientId
        .map(id -> clients.find(request.realm(), id).map(Client::config).map(config -> config.name()).orElse(id))
        .orElseGet(() -> serviceProviders.displayName(request.realm().name(), partner));
  }

  @Override
  public ItemDescription describe(String partner, String name) {
    if (ClientConsents.clientId(partner).isEmpty()) {
      return new ItemDescription(name, Optional.empty());
    }
    return name.startsWith(ClientConsents.CLAIM)
        ? new ItemDescription(name.substring(ClientConsents.CLAIM.length()), Optional.of("claim"))
        : new ItemDescription(name, Optional.of(ConsentItems.words(name)));
  }

  @Override
  public List<Consent> activeConsents(RealmRequest request, PersonId person) {
    Map<String, Consent> byClient = new TreeMap<>();
    for (Authorization authorization : authorizations.ofPerson(request.realm().name(), person)) {
      String partner = ClientConsents.partner(authorization.clientId());
      byClient.merge(
          partner, new Consent(partner, authorization.grant().scopes(), authorization.createdAt()), ClientGrants::together);
    }
    return List.copyOf(byClient.values());
  }

  private static Consent together(Consent one, Consent other) {
    Set<String> scopes = new HashSet<>(one.attributes());
    scopes.addAll(other.attributes());
    Instant since = one.since().isBefore(other.since()) ? one.since() : other.since();
    return new Consent(one.partner(), scopes, since);
  }

  @Override
  public void end(RealmRequest request, PersonId person, String partner) {
    ClientConsents.clientId(partner)
        .ifPresent(
            client ->
                authorizations.endOfClient(
                    request.context(), request.realm().name(), person, client, Authorizations.End.ACCOUNT));
  }
}
