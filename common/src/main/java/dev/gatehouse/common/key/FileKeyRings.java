package dev.gatehouse.common.key;

import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.Realm;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Key rings from files: the operator's where the realm names some, else made at first use and kept in {@code data/keys}. A
 * configured key serves both uses and is rotated by configuring another.
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

  /** Where the made keys of that use are, to rotate them; empty where the realm's key is configured. */
  public Optional<KeyFolder> folder(Realm realm, KeyUse use) {
    return realm.keys().files().isPresent()
        ? Optional.empty()
        : Optional.of(folder(realm.name(), use, realm.keys().algorithm()));
  }

  private KeyFolder folder(String realm, KeyUse use, KeyAlgorithm algorithm) {
    return new KeyFolder(keys, realm, use, algorithm, time, random);
  }

  private Known open(Source source) {
    Optional<KeyConfig.KeyFiles> files = source.config().files();
    if (files.isPresent()) {
      return new Known(source, new ConfiguredKeyRing(read(source.realm(), files.get())));
    }
    Map<KeyUse, WatchedKeys> watched = new EnumMap<>(KeyUse.class);
    for (KeyUse use : KeyUse.values()) {
      watched.put(use, new WatchedKeys(folder(source.realm(), use, source.config().algorithm()), time));
    }
    return new Known(source, new MadeKeyRing(watched));
  }

  private static SigningKey read(String realm, KeyConfig.KeyFiles files) {
    try {
      return SigningKeys.read(files);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The key of realm " + realm + " cannot be used: " + e, e);
    }
  }

  private static VerificationKey published(SigningKey key) {
    return new VerificationKey(key.id(), key.algorithm(), key.certificate());
  }

  private record ConfiguredKeyRing(SigningKey key) implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return key;
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return List.of(FileKeyRings.published(key));
    }
  }

  /** Keys are made for a use when it is first asked for: a node without an sp has no sp key. */
  private record MadeKeyRing(Map<KeyUse, WatchedKeys> watched) implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return ring(use).current();
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      KeyFolder.Ring ring = ring(use);
      return Stream.of(Optional.of(ring.current()), ring.next(), ring.previous())
          .flatMap(Optional::stream)
          .map(FileKeyRings::published)
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
