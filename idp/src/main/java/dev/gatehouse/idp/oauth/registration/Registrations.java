package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.remembered.RememberedRows;
import dev.gatehouse.common.remembered.RowChanges;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that registered at run time, from the database. Entries in use are remembered until they are changed here, or until this node
 * hears that another one has changed something; absence is not.
 */
public final class Registrations implements Clients.Registered {

  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  /** The name for a registration without an initial access token. */
  static final String LOOPBACK = "loopback";

  private static final int MAX_CACHED = 10_000;

  /** The form of the IDs that we assign: others are not looked up. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  private final RegisteredClients store;
  private final RememberedRows<Key, Cached> kept;

  private record Key(String realm, String clientId) {}

  /**
   * A registration that exists.
   *
   * @param revision of the realm, whose rules determine the effect of a registration
   * @param client empty if it is not valid under these rules
   */
  private record Cached(Realm.Revision revision, Optional<Client> client) {}

  public Registrations(RegisteredClients store, RowChanges changes) {
    this.store = store;
    this.kept = new RememberedRows<>(MAX_CACHED, Optional.empty(), () -> changes.heard(RowChanges.Table.REGISTERED_CLIENT));
  }

  @Override
  public Optional<Client> find(Realm realm, String clientId) {
    if (!ID.matcher(clientId).matches()) {
      return Optional.empty();
    }
    return kept.get(
            new Key(realm.name(), clientId),
            known -> known.revision().equals(realm.revision()),
            () -> store.find(realm.name(), clientId).map(entry -> new Cached(realm.revision(), client(realm, entry))))
        .flatMap(Cached::client);
  }

  private static Optional<Client> client(Realm realm, RegisteredClient entry) {
    OAuthConfig oauth = realm.idp().orElseThrow().oauth();
    return switch (ClientMetadata.read(metadata(entry), oauth, !entry.registeredBy().equals(LOOPBACK))) {
      case Result.Accepted(ClientMetadata read) ->
          Optional.of(new Client(read.config(entry.clientId(), secret(entry)), true));
      case Result.Refused(OAuthError error) -> {
        LOG.warn(
            "The registration of client {} of realm {} is not valid any more: {}",
            entry.clientId(), realm.name(), error.description());
        yield Optional.empty();
      }
    };
  }

  /** The metadata as accepted. */
  public static Map<String, Object> metadata(RegisteredClient entry) {
    return StrictJson.object(entry.metadata().getBytes(StandardCharsets.UTF_8)).orElseGet(Map::of);
  }

  static Optional<ClientSecret> secret(RegisteredClient entry) {
    return entry.secret().map(sealed -> new ClientSecret.Kept(sealed, Optional.empty()));
  }

  /** Reads the database itself, for the client's own management requests. */
  Optional<RegisteredClient> entry(Realm realm, String clientId) {
    return stored(realm.name(), clientId);
  }

  /** Returns a registration as it is stored, for administrators. */
  public Optional<RegisteredClient> stored(String realm, String clientId) {
    return ID.matcher(clientId).matches() ? store.find(realm, clientId) : Optional.empty();
  }

  /** Refused if too many clients without an initial access token are registered. */
  Result<RegisteredClient, OAuthError> add(RegisteredClient entry) {
    if (entry.registeredBy().equals(LOOPBACK) && store.count(entry.realm()) >= MAX_CACHED) {
      return OAuthError.refused(Code.TEMPORARILY_UNAVAILABLE, "too many clients are registered");
    }
    store.add(entry);
    kept.forget(new Key(entry.realm(), entry.clientId()));
    return Result.accepted(entry);
  }

  boolean change(RegisteredClient entry) {
    boolean changed = store.change(entry);
    kept.forget(new Key(entry.realm(), entry.clientId()));
    return changed;
  }

  /** Returns false if there was none. */
  public boolean remove(String realm, String clientId) {
    boolean removed = store.remove(realm, clientId);
    kept.forget(new Key(realm, clientId));
    return removed;
  }

  /**
   * A page of registrations by ID, for administrators.
   *
   * @param after the last ID of the previous page; empty for the first page
   */
  public List<RegisteredClient> page(String realm, String after, int most) {
    return store.page(realm, after, most);
  }
}
