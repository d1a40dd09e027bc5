package dev.gatehouse.common.space;

import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.store.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Registered clients that accept no new client while space is low; existing clients can be changed and removed. */
public record GuardedClients(RegisteredClients clients, BooleanSupplier low) implements RegisteredClients {

  @Override
  public void add(RegisteredClient client) {
    if (low.getAsBoolean()) {
      throw StoreUnavailable.lowOnSpace();
    }
    clients.add(client);
  }

  @Override
  public Optional<RegisteredClient> find(String realm, String clientId) {
    return clients.find(realm, clientId);
  }

  @Override
  public List<RegisteredClient> page(String realm, String after, int limit) {
    return clients.page(realm, after, limit);
  }

  @Override
  public long count(String realm) {
    return clients.count(realm);
  }

  @Override
  public boolean change(RegisteredClient client) {
    return clients.change(client);
  }

  @Override
  public boolean remove(String realm, String clientId) {
    return clients.remove(realm, clientId);
  }
}
