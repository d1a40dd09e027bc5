package dev.gatehouse.common.db;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Registered clients in a map, for tests. */
public final class MemoryRegisteredClients implements RegisteredClients {

  private final Map<String, RegisteredClient> all = new ConcurrentHashMap<>();

  @Override
  public Optional<RegisteredClient> find(String realm, String clientId) {
    return Optional.ofNullable(all.get(key(realm, clientId)));
  }

  @Override
  public List<RegisteredClient> page(String realm, String after, int most) {
    return all.values().stream()
        .filter(client -> client.realm().equals(realm) && client.clientId().compareTo(after) > 0)
        .sorted(Comparator.comparing(RegisteredClient::clientId))
        .limit(most)
        .toList();
  }

  @Override
  public long count(String realm) {
    return all.values().stream().filter(client -> client.realm().equals(realm)).count();
  }

  @Override
  public void add(RegisteredClient client) {
    if (all.putIfAbsent(key(client.realm(), client.clientId()), client) != null) {
      throw new IllegalStateException("there is such a client");
    }
  }

  @Override
  public boolean change(RegisteredClient client) {
    return all.computeIfPresent(
            key(client.realm(), client.clientId()),
            (key, before) ->
                new RegisteredClient(
                    before.realm(), before.clientId(), client.metadata(), client.secret(), before.accessDigest(),
                    before.registeredBy(), before.registeredAt()))
        != null;
  }

  @Override
  public boolean remove(String realm, String clientId) {
    return all.remove(key(realm, clientId)) != null;
  }

  private static String key(String realm, String clientId) {
    return realm + "\n" + clientId;
  }
}
