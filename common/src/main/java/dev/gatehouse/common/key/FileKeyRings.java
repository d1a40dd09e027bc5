package dev.gatehouse.common.key;

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
 * Key rings from files: the operator's where the realm names some, else made at first use and kept in {@code
 * data/keys}. A configured key signs for idp and sp and is rotated by configuring another. Keys for encryption are
 * always made here, for they take turns in another way: the old ones go on to decrypt; and those for tokens, whose readers
 * take over new ones by themselves. A configured RSA key decrypts,
 * too, since partners whose configuration was made by hand may encrypt to the only certificate of ours that they know.
 */
public final class FileKeyRings implements KeyRings {

  /** A running node looks this often whether the command line changed a ring. */
  public static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /** @param revision of a configured key: a new one may mean another file content */
  private record Source(String realm, KeyConfig config, Optional<Realm.Revision> revision) {}

  private record Known(Source source, KeyRing ring) {}

  private final Path keys;
  private final InstantSource time;
  private final SecureRandom random;
  private final ConcurrentHashMap<String, Known> rings = new ConcurrentHashMap<>();

  /** @param data the node's data directory */
  public FileKeyRings(Path data, InstantSource time, SecureRandom random) {
    this.keys = data.resolve("keys");
    this.time = time;
    this.random = random;
  }

  /** Throws {@link IllegalStateException} where its keys cannot be read or made. */
  @Override
  public KeyRing of(Realm realm) {
    Source source =
        new Source(realm.name(), realm.keys(), realm.keys().files().map(files -> realm.revision()));
    Known known = rings.get(realm.name());
    if (known == null || !known.source().equals(source)) {
      known = rings.compute(realm.name(), (name, old) -> old != null && old.source().equals(source) ? old : open(source));
    }
    return known.ring();
  }

  /** Where the made keys of that use are, to rotate them; empty where the realm's signing key is configured. */
  public Optional<KeyFolder> folder(Realm realm, KeyUse use) {
    return realm.keys().files().isPresent() && !use.isAlwaysMade()
        ? Optional.empty()
        : Optional.of(folder(realm.name(), use, realm.keys().algorithm()));
  }

  private KeyFolder folder(String realm, KeyUse use, KeyAlgorithm algorithm) {
    return new KeyFolder(keys, realm, use, algorithm, time, random);
  }

  private Known open(Source source) {
    Optional<SigningKey> configured = source.config().files().map(files -> read(source.realm(), files));
    Map<KeyUse, WatchedKeys> watched = new EnumMap<>(KeyUse.class);
    for (KeyUse use : KeyUse.values()) {
      watched.put(use, new WatchedKeys(folder(source.realm(), use, source.config().algorithm()), time));
    }
    KeyRing made = new MadeKeyRing(watched, time);
    return new Known(source, configured.<KeyRing>map(key -> new ConfiguredKeyRing(key, made)).orElse(made));
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

  /** A configured key signs SAML messages; what is for encryption and for tokens is made. */
  private record ConfiguredKeyRing(SigningKey key, KeyRing made) implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return use.isAlwaysMade() ? made.current(use) : key;
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return use.isAlwaysMade() ? made.published(use) : List.of(FileKeyRings.published(key));
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      Stream<DecryptionKey> configured =
          key.privateKey() instanceof RSAPrivateKey ? Stream.of(FileKeyRings.decryption(key)) : Stream.empty();
      return Stream.concat(made.decryption(use).stream(), configured).toList();
    }
  }

  /** Keys are made for a use when it is first asked for: a node without an sp has no sp key. */
  private record MadeKeyRing(Map<KeyUse, WatchedKeys> watched, InstantSource time) implements KeyRing {
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
