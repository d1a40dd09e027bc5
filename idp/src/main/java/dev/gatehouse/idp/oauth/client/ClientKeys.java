package dev.gatehouse.idp.oauth.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The public keys of clients. Keys at a {@code jwks_uri} are fetched when needed, and fetched again if none matches,
 * because the client may have changed them (OpenID Connect Core 10.1.1).
 */
public final class ClientKeys {

  private static final Result<PublicKeys, String> NONE = Result.refused("the client has no keys");

  private final PublicHttp http;
  private final InstantSource clock;
  private final Cache<Keys, Result<PublicKeys, String>> written = Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();
  private final Cache<URI, JwksSource> sources = Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();

  public ClientKeys(PublicHttp http, InstantSource clock) {
    this.http = http;
    this.clock = clock;
  }

  /** The known keys, fetched if necessary. */
  public Result<PublicKeys, String> keys(Client client) {
    return client
        .config()
        .keys()
        .map(
            keys ->
                switch (keys) {
                  case Keys.Jwks jwks -> written.get(jwks, k -> PublicKeys.read(jwks.json()));
                  case Keys.JwksUri(URI uri) -> source(uri).keys(clock.instant());
                })
        .orElse(NONE);
  }

  /** Returns whether one of the keys signed the JWT. */
  public boolean verify(Client client, ReceivedJwt jwt) {
    return keys(client) instanceof Result.Accepted(PublicKeys known) && known.verify(jwt)
        || newer(client).filter(keys -> keys.verify(jwt)).isPresent();
  }

  /** The reason why no keys are available; empty if they are. */
  Optional<String> problem(Client client) {
    return keys(client) instanceof Result.Refused(String problem) ? Optional.of(problem) : Optional.empty();
  }

  /** Returns whether the certificate's key is one of them. */
  boolean isRegistered(Client client, X509Certificate certificate) {
    return keys(client) instanceof Result.Accepted(PublicKeys known) && known.hasKeyOf(certificate)
        || newer(client).filter(keys -> keys.hasKeyOf(certificate)).isPresent();
  }

  private Optional<PublicKeys> newer(Client client) {
    return client.config().keys().orElse(new Keys.Jwks("")) instanceof Keys.JwksUri(URI uri)
            && source(uri).newer(clock.instant()) instanceof Result.Accepted(PublicKeys newer)
        ? Optional.of(newer)
        : Optional.empty();
  }

  private JwksSource source(URI uri) {
    return sources.get(uri, address -> new JwksSource(address, http));
  }
}
