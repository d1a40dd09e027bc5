package dev.gatehouse.idp.oauth.registration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig.ClientSecret;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
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
 * Clients that registered at run time, as the database has them. What is asked for is kept in memory: the database is
 * this node's alone, and every change of it comes through here.
 */
public final class Registrations implements Clients.Registered {

  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  /** Who registered without an initial access token. */
  static final String LOOPBACK = "loopback";

  private static final int MOST_KEPT = 10_000;

  /** Of the IDs that we give out: others are not looked for. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  private final RegisteredClients store;
  private final Cache<Key, Kept> kept = Caffeine.newBuilder().maximumSize(MOST_KEPT).build();

  private record Key(String realm, String clientId) {}

  /** @param revision of the realm, whose rules say what a registration means */
  private record Kept(Realm.Revision revision, Optional<Client> client) {}

  public Registrations(RegisteredClients store) {
    this.store = store;
  }

  @Override
  public Optional<Client> find(Realm realm, String clientId) {
    if (!ID.matcher(clientId).matches()) {
      return Optional.empty();
    }
    Key key = new Key(realm.name(), clientId);
    Kept known = kept.getIfPresent(key);
    if (known == null || !known.revision().equals(realm.revision())) {
      // Loaded while the entry is held, so that a change meanwhile is not overwritten by what was before it.
      known = kept.asMap().compute(key, (k, before) -> new Kept(realm.revision(), load(realm, clientId)));
    }
    return known == null ? Optional.empty() : known.client();
  }

  private Optional<Client> load(Realm realm, String clientId) {
    return store.find(realm.name(), clientId).flatMap(entry -> client(realm, entry));
  }

  private static Optional<Client> client(Realm realm, RegisteredClient entry) {
    OAuthConfig oauth = realm.idp().orElseThrow().oauth();
    return switch (ClientMetadata.read(metadata(entry), oauth, !entry.registeredBy().equals(LOOPBACK))) {
      case Outcome.Passed<ClientMetadata>(ClientMetadata read) ->
          Optional.of(new Client(read.config(entry.clientId(), secret(entry)), true));
      case Outcome.Refused<ClientMetadata>(OAuthError error) -> {
        LOG.warn(
            "The registration of client {} of realm {} counts no more: {}",
            entry.clientId(), realm.name(), error.description());
        yield Optional.empty();
      }
    };
  }

  /** As it was accepted. */
  public static Map<String, Object> metadata(RegisteredClient entry) {
    return StrictJson.object(entry.metadata().getBytes(StandardCharsets.UTF_8)).orElseGet(Map::of);
  }

  static Optional<ClientSecret> secret(RegisteredClient entry) {
    return entry.secret().map(sealed -> new ClientSecret.Kept(sealed, Optional.empty()));
  }

  /** From the database itself, for its own client. */
  Optional<RegisteredClient> entry(Realm realm, String clientId) {
    return ID.matcher(clientId).matches() ? store.find(realm.name(), clientId) : Optional.empty();
  }

  /** Refused where there are too many that nobody answers for. */
  Outcome<RegisteredClient> add(RegisteredClient entry) {
    if (entry.registeredBy().equals(LOOPBACK) && store.count(entry.realm()) >= MOST_KEPT) {
      return Outcome.refused(Code.TEMPORARILY_UNAVAILABLE, "too many clients are registered");
    }
    store.add(entry);
    kept.invalidate(new Key(entry.realm(), entry.clientId()));
    return Outcome.passed(entry);
  }

  boolean change(RegisteredClient entry) {
    boolean changed = store.change(entry);
    kept.invalidate(new Key(entry.realm(), entry.clientId()));
    return changed;
  }

  /** False where there was none. */
  public boolean remove(String realm, String clientId) {
    boolean removed = store.remove(realm, clientId);
    kept.invalidate(new Key(realm, clientId));
    return removed;
  }

  /** By ID, for administrators. @param after the last one of the page before; empty for the first page */
  public List<RegisteredClient> page(String realm, String after, int most) {
    return store.page(realm, after, most);
  }
}
