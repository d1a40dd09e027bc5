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
 * Warns about clients that may use grants that current practice forbids (RFC 9700, sections 2.1.2 and 2.4): once per
 * client, and again when its set of such grants changes.
 */
public final class HistoricalGrants implements Consumer<Collection<Realm>> {

  private static final Logger LOG = LoggerFactory.getLogger(HistoricalGrants.class);

  private record ClientOfRealm(String realm, String clientId) {}

  private final Map<ClientOfRealm, List<String>> warned = new ConcurrentHashMap<>();

  @Override
  public void accept(Collection<Realm> realms) {
    for (Realm realm : realms) {
      if (realm.idp().isPresent()) {
        realm.parties().clients().forEach(client -> warning(realm, client).ifPresent(LOG::warn));
      }
    }
  }

  /** Returns the warning; empty if the client may use none of them, or if the same warning was returned before. */
  Optional<String> warning(Realm realm, ClientConfig client) {
    List<String> historical = of(client);
    List<String> before = warned.getOrDefault(new ClientOfRealm(realm.name(), client.clientId()), List.of());
    warned.put(new ClientOfRealm(realm.name(), client.clientId()), historical);
    return historical.isEmpty() || historical.equals(before)
        ? Optional.empty()
        : Optional.of(
            "Realm %s: the client %s may use %s, which expose passwords or tokens to others; let it use code"
                .formatted(realm.name(), client.clientId(), String.join(", ", historical)));
  }

  /** The names of such grants that the client may use. */
  static List<String> of(ClientConfig client) {
    return client.permissions().grants().stream().filter(GrantType::isHistorical).map(GrantType::word).sorted().toList();
  }
}
