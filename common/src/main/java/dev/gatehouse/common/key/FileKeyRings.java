package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.Realm;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Key rings from files: the operator's if the realm configures some, otherwise generated at first use and stored in {@code
 * data/keys}. A configured key signs for idp and sp and is rotated by configuring another. Keys for encryption are always
 * generated here, because they rotate differently: old ones continue to decrypt. Keys for tokens are always generated too,
 * because readers of tokens adopt new ones by themselves. A configured RSA key also decrypts, since partners that were
 * configured by hand may encrypt to the only certificate of ours that they know.
 */
public final class FileKeyRings implements KeyRings {

  /** The interval at which a running node checks whether the command line changed a ring. */
  public static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /** @param revision for a configured key: a new revision may mean another file content */
  private record Source(String realm, KeyConfig config, Optional<Realm.Revision> revision) {}

  private record Known(Source source, KeyRing ring) {}

  private final KeyPlace place;
  private final InstantSource time;
  private final SecureRandom random;
  private final Pkcs11Tokens tokens;
  private final ConcurrentHashMap<String, Known> rings = new ConcurrentHashMap<>();

  /** @param data the node's data directory */
  public FileKeyRings(Path data, InstantSource time, SecureRandom random) {
    this(new FileKeyPlace(data), time, random);
  }

  /** Opens the rings of that place. */
  public FileKeyRings(KeyPlace place, InstantSource time, SecureRandom random) {
    this(place, time, random, Pkcs11Tokens.none());
  }

  /** Opens the rings of that place, with keys in tokens. */
  public FileKeyRings(KeyPlace place, InstantSource time, SecureRandom random, Pkcs11Tokens tokens) {
    this.tokens = tokens;
    this.place = place;
    this.time = time;
    this.random = random;
  }

  /** Throws {@link IllegalStateException} if the realm's keys cannot be read or generated. */
  @Override
  public KeyRing of(Realm realm) {
    Source source =
        new Source(
            realm.name(), realm.keys(),
            realm.keys().files().isPresent() || !realm.keys().inTokens().isEmpty() ? Optional.of(realm.revision()) : Optional.empty());
    Known known = rings.get(realm.name());
    if (known == null || !known.source().equals(source)) {
      known = rings.compute(realm.name(), (name, old) -> old != null && old.source().equals(source) ? old : open(source));
    }
    return known.ring();
  }

  /** Returns the folder of the generated keys of that use, for rotation; empty if the realm's key is configured. */
  public Optional<KeyFolder> folder(Realm realm, KeyUse use) {
    return Pkcs11KeyRing.isCurrent(realm.keys(), use) || realm.keys().files().isPresent() && !use.isAlwaysGenerated()
        ? Optional.empty()
        : Optional.of(folder(realm.name(), use, realm.keys().algorithm()));
  }

  private KeyFolder folder(String realm, KeyUse use, KeyAlgorithm algorithm) {
    return new KeyFolder(place, realm, use, algorithm, time, random);
  }

  private Known open(Source source) {
    Optional<SigningKey> configured = source.config().files().map(files -> read(source.realm(), files));
    Map<KeyUse, WatchedKeys> watched = new EnumMap<>(KeyUse.class);
    for (KeyUse use : KeyUse.values()) {
      watched.put(use, new WatchedKeys(folder(source.realm(), use, source.config().algorithm()), time));
    }
    KeyRing generated = new GeneratedKeyRing(watched, time);
    KeyRing inFiles = configured.<KeyRing>map(key -> new ConfiguredKeyRing(key, generated)).orElse(generated);
    return new Known(source, Pkcs11KeyRing.open(source.realm(), source.config(), tokens, inFiles));
  }

  private static SigningKey read(String realm, KeyConfig.KeyFiles files) {
    try {
      return SigningKeys.read(files);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The key of realm " + realm + " cannot be used: " + e, e);
    }
  }

  private static DecryptionKey decryption(SigningKey key) {
    return new DecryptionKey(key.id(), key.privateKey());
  }

  private static VerificationKey published(SigningKey key) {
    return new VerificationKey(key.id(), key.algorithm(), key.certificate());
  }

  /** A configured key signs SAML messages; keys for encryption and for tokens are generated. */
  private record ConfiguredKeyRing(SigningKey key, KeyRing generated) implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return use.isAlwaysGenerated() ? generated.current(use) : key;
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return use.isAlwaysGenerated() ? generated.published(use) : List.of(FileKeyRings.published(key));
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      Stream<DecryptionKey> configured =
          key.privateKey() instanceof RSAPrivateKey ? Stream.of(FileKeyRings.decryption(key)) : Stream.empty();
      return Stream.concat(generated.decryption(use).stream(), configured).toList();
    }
  }

  /** Generates keys for a use at its first request: a node without an sp has no sp key. */
  private record GeneratedKeyRing(Map<KeyUse, WatchedKeys> watched, InstantSource time) implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return ring(use).current();
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      KeyFolder.Ring ring = ring(use);
      Optional<SigningKey> previous = use.isEncryption() ? Optional.empty() : ring.previous();
      return Stream.of(Optional.of(ring.current()), ring.next(), previous)
          .flatMap(Optional::stream)
          .map(FileKeyRings::published)
          .toList();
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      if (!use.isEncryption()) {
        throw new IllegalArgumentException(use + " does not decrypt");
      }
      KeyFolder.Ring ring = ring(use);
      Instant now = time.instant();
      Stream<SigningKey> retired =
          ring.retired().stream().filter(r -> now.isBefore(r.until())).map(KeyFolder.Retired::key);
      return Stream.concat(
              Stream.of(Optional.of(ring.current()), ring.previous(), ring.next()).flatMap(Optional::stream), retired)
          .map(FileKeyRings::decryption)
          .toList();
    }

    private KeyFolder.Ring ring(KeyUse use) {
      WatchedKeys keys = watched.get(use);
      if (keys == null) {
        throw new IllegalArgumentException("No keys for " + use);
      }
      return keys.ring();
    }
  }
}
