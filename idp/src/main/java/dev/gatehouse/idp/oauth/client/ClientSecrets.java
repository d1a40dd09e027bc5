package dev.gatehouse.idp.oauth.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.Realm;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The secrets of clients. They are machine-made, so a keyed digest compares them as safely as a password hash, and
 * thousands of times a second. Computed digests are cached for as long as the client's entry exists.
 */
public final class ClientSecrets {

  private static final String USE = "client-secret";
  private static final int BYTES = 32;

  /** RFC 7518, section 3.2: a key for HS256 is at least as long as the digest. */
  private static final int LEAST_HS256_BYTES = 32;

  private final SealingKey sealing;
  private final InstantSource clock;

  /** Keyed by the entry object, which a new revision or registration replaces. */
  private final Cache<ClientSecret, byte[]> digests = Caffeine.newBuilder().weakKeys().maximumSize(100_000).executor(Runnable::run).build();

  public ClientSecrets(SealingKey sealing, InstantSource clock) {
    this.sealing = sealing;
    this.clock = clock;
  }

  /** Returns whether the secret is the client's and has not expired. Takes the same time for every input. */
  public boolean matches(Realm realm, Client client, String presented) {
    Optional<ClientSecret> secret = client.config().authentication().secret();
    byte[] shown = digest(realm, client.id(), presented);
    if (secret.isEmpty()) {
      return false;
    }
    byte[] real = digests.get(secret.get(), known -> digest(realm, client.id(), value(realm, client.id(), known)));
    return MessageDigest.isEqual(real, shown) && isValid(secret.get());
  }

  /** Performs the work of {@link #matches} for a client that does not exist. */
  void matchesNobody(Realm realm, String clientId, String presented) {
    digest(realm, clientId, presented);
  }

  /** The key for HS256; empty if the secret has expired, or is too short for HS256. */
  public Optional<byte[]> key(Realm realm, Client client) {
    return client
        .config()
        .authentication()
        .secret()
        .filter(this::isValid)
        .map(secret -> value(realm, client.id(), secret).getBytes(StandardCharsets.UTF_8))
        .filter(key -> key.length >= LEAST_HS256_BYTES);
  }

  /** Creates a secret: 32 random bytes in base64url. */
  public static String create(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The form stored in the database. */
  public ClientSecret.Kept seal(String realm, String clientId, String secret, Optional<Instant> expiresAt) {
    byte[] sealed = sealing.seal(secret.getBytes(StandardCharsets.UTF_8), USE, realm, clientId);
    return new ClientSecret.Kept(Base64.getEncoder().encodeToString(sealed), expiresAt);
  }

  /** The secret in clear, for the client itself. */
  public String value(Realm realm, String clientId, ClientSecret secret) {
    return switch (secret) {
      case ClientSecret.Configured(var configured) -> configured.value();
      case ClientSecret.Kept(String sealed, Optional<Instant> expiresAt) ->
          new String(
              sealing.open(Base64.getDecoder().decode(sealed), USE, realm.name(), clientId), StandardCharsets.UTF_8);
    };
  }

  private boolean isValid(ClientSecret secret) {
    return switch (secret) {
      case ClientSecret.Configured configured -> true;
      case ClientSecret.Kept(String sealed, Optional<Instant> expiresAt) ->
          expiresAt.filter(end -> !clock.instant().isBefore(end)).isEmpty();
    };
  }

  private byte[] digest(Realm realm, String clientId, String secret) {
    return sealing.digest(secret, USE, realm.name(), clientId).getBytes(StandardCharsets.US_ASCII);
  }
}
