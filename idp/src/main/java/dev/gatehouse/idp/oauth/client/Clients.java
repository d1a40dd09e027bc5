package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.Realm;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The realm's clients: that of the console, those of its configuration and those that registered at run time. */
public final class Clients {

  /** The clients that registered at run time. */
  @FunctionalInterface
  public interface Registered {
    Optional<Client> find(Realm realm, String clientId);
  }

  private final ConsoleClient console;
  private final Registered registered;
  private final Map<String, Indexed> configured = new ConcurrentHashMap<>();

  /** The clients of one snapshot by their ID. */
  private record Indexed(Realm realm, Map<String, Client> byId) {}

  public Clients(ConsoleClient console, Registered registered) {
    this.console = console;
    this.registered = registered;
  }

  /**
   * Finds a client. No other client takes the place of the console's, and a configured client takes precedence over a
   * registered one with the same ID. Called at every use, so that changes take effect at once.
   */
  public Optional<Client> find(Realm realm, String clientId) {
    return console
        .find(realm, clientId)
        .or(() -> Optional.ofNullable(indexed(realm).byId().get(clientId)))
        .or(() -> registered.find(realm, clientId));
  }

  private Indexed indexed(Realm realm) {
    Indexed known = configured.get(realm.name());
    if (known != null && known.realm() == realm) {
      return known;
    }
    Indexed made =
        new Indexed(
            realm,
            realm.parties().clients().stream()
                .map(config -> new Client(config, false))
                .collect(Collectors.toUnmodifiableMap(Client::id, Function.identity())));
    configured.put(realm.name(), made);
    return made;
  }
}
