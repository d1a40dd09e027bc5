package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.idp.oauth.registration.Registrations;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** OAuth clients that registered at run time, in the administration API. */
public final class RegisteredClientsResource implements AdminResource.RegisteredClients {

  private final Registrations registrations;

  public RegisteredClientsResource(Registrations registrations) {
    this.registrations = registrations;
  }

  @Override
  public List<AdminResource.ClientView> page(String realm, String after, int most) {
    return registrations.page(realm, after, most).stream().map(RegisteredClientsResource::view).toList();
  }

  @Override
  public Optional<AdminResource.ClientView> find(String realm, String clientId) {
    return registrations.stored(realm, clientId).map(RegisteredClientsResource::view);
  }

  @Override
  public boolean remove(String realm, String clientId) {
    return registrations.remove(realm, clientId);
  }

  private static AdminResource.ClientView view(RegisteredClient client) {
    Map<String, Object> metadata = Registrations.metadata(client);
    Optional<String> name =
        metadata.get("client_name") instanceof String text ? Optional.of(text) : Optional.empty();
    List<String> redirectUris =
        metadata.get("redirect_uris") instanceof List<?> uris ? uris.stream().map(String::valueOf).toList() : List.of();
    return new AdminResource.ClientView(
        client.clientId(), name, redirectUris, client.registeredBy(), client.registeredAt());
  }
}
