package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.Realm;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of clients that may use what current practice forbids (RFC 9700, sections 2.1.2 and 2.4): once a client, and again
 * when it may use others.
 */
public final class HistoricalGrants implements Consumer<Collection<Realm>> {

  private static final Logger LOG = LoggerFactory.getLogger(HistoricalGrants.class);

  private record ClientOfRealm(String realm, String clientId) {}

  private final Map<ClientOfRealm, List<String>> told = new ConcurrentHashMap<>();

  @Override
  public void accept(Collection<Realm> realms) {
    for (Realm realm : realms) {
      if (realm.idp().isPresent()) {
        realm.clients().forEach(client -> warning(realm, client).ifPresent(LOG::warn));
      }
    }
  }

  /** Empty where the client may use none, or where it has been said of these. */
  Optional<String> warning(Realm realm, ClientConfig client) {
    List<String> historical = of(client);
    List<String> before = told.getOrDefault(new ClientOfRealm(realm.name(), client.clientId()), List.of());
    told.put(new ClientOfRealm(realm.name(), client.clientId()), historical);
    return historical.isEmpty() || historical.equals(before)
        ? Optional.empty()
        : Optional.of(
            "Realm %s: the client %s may use %s, which show passwords or tokens to whom they are not meant for; let it use code"
                .formatted(realm.name(), client.clientId(), String.join(", ", historical)));
  }

  /** The words of those that are turned on. */
  static List<String> of(ClientConfig client) {
    return client.grants().stream().filter(GrantType::isHistorical).map(GrantType::word).sorted().toList();
  }
}
