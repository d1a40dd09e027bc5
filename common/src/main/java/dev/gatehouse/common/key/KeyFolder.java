package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The generated keys of one realm and use on disk, {@code data/keys/{realm}/{use}/}: each key in a PEM file named by its id, and
 * the file {@code ring}, which says which key is current, next and previous. Every change replaces {@code ring} atomically; an
 * interruption leaves at most a key file that nothing names. Safe between processes: the command line changes the keys of a
 * running node, and the node adopts the change within {@link FileKeyRings#LOOK_AGAIN}.
 */
public final class KeyFolder {

  static final String RING = "ring";

  /**
   * The time for which a retired key still decrypts: the longest validity of the metadata that published it, and a day.
   */
  static final Duration GRACE = Duration.ofDays(15);

  private static final String RETIRED = "retired.";

  private final Path folder;
  private final KeyUse use;
  private final KeyAlgorithm algorithm;
  private final String commonName;
  private final InstantSource time;
  private final SecureRandom random;
  private final KeyManifest manifest;

  KeyFolder(Path keys, String realm, KeyUse use, KeyAlgorithm algorithm, InstantSource time, SecureRandom random) {
    this.folder = keys.resolve(realm).resolve(name(use));
    this.use = use;
    this.algorithm = use.algorithm(algorithm);
    String name = "Gatehouse " + realm + " " + folder.getFileName();
    this.commonName = name.substring(0, Math.min(name.length(), 64));
    this.time = time;
    this.random = random;
    this.manifest = new KeyManifest(keys);
  }

  /** Returns the folder's name of a use. */
  private static String name(KeyUse use) {
    return use.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether the name is the folder's name of a use. */
  static boolean isUse(String name) {
    return Arrays.stream(KeyUse.values()).anyMatch(use -> name(use).equals(name));
  }

  /**
   * The keys by state.
   *
   * @param retired keys for encryption that still decrypt for some time; none for signing
   */
  public record Ring(
      SigningKey current, Optional<SigningKey> next, Optional<SigningKey> previous, List<Retired> retired) {}

  /** A key that is neither published nor used any more, but still decrypts messages under way. */
  public record Retired(SigningKey key, Instant until) {}

  /** The result of a step of the rotation. */
  public sealed interface Step {
    record Done(Ring ring) implements Step {}

    /**
     * Nothing was changed.
     *
     * @param why for the operator
     */
    record Refused(String why) implements Step {}
  }

  /**
   * Returns the keys; generates the first one if there is none. Throws {@link IllegalStateException} if they cannot be read.
   */
  public Ring load() {
    return guarded(
        () -> {
          Optional<Ring> ring = read();
          return ring.isPresent() ? ring.get() : PrivateFiles.locked(folder, this::readOrCreate);
        });
  }

  /**
   * Generates the next key. It is published from now on: wait until partners have adopted the metadata before {@link #promote}.
   */
  public Step prepare() {
    return step(
        ring -> {
          if (ring.next().isPresent()) {
            return new Step.Refused("there is a next key already: " + ring.next().get().id());
          }
          return new Step.Done(new Ring(ring.current(), Optional.of(generate()), ring.previous(), ring.retired()));
        });
  }

  /** Makes the next key current, so that it signs; the former current key becomes previous and stays published. */
  public Step promote() {
    return step(
        ring -> {
          if (ring.next().isEmpty()) {
            return new Step.Refused("there is no next key: prepare one, and let partners take over the metadata");
          }
          if (ring.previous().isPresent()) {
            return new Step.Refused("there is still a previous key: retire " + ring.previous().get().id() + " first");
          }
          return new Step.Done(
              new Ring(ring.next().get(), Optional.empty(), Optional.of(ring.current()), ring.retired()));
        });
  }

  /**
   * Drops the previous key: it is no longer published, and its file is removed. A key for encryption still decrypts for {@link
   * #GRACE}.
   */
  public Step retire() {
    return step(
        ring -> {
          if (ring.previous().isEmpty()) {
            return new Step.Refused("there is no previous key");
          }
          List<Retired> retired = new ArrayList<>(ring.retired());
          if (use.isEncryption()) {
            retired.add(new Retired(ring.previous().get(), time.instant().plus(GRACE)));
          }
          return new Step.Done(new Ring(ring.current(), ring.next(), Optional.empty(), List.copyOf(retired)));
        });
  }

  /** Returns a stamp that changes when another ring is written; empty before the first. */
  Optional<PrivateFiles.Stamp> stamp() {
    try {
      return Optional.of(PrivateFiles.stamp(folder.resolve(RING)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private interface Change {
    Step of(Ring ring) throws GeneralSecurityException, IOException;
  }

  private interface Reading<T> {
    T read() throws IOException, GeneralSecurityException;
  }

  private Step step(Change change) {
    return guarded(
        () ->
            PrivateFiles.locked(
                folder,
                () -> {
                  try {
                    Ring before = readOrCreate();
                    Step step = change.of(before);
                    if (step instanceof Step.Done(Ring after)) {
                      Ring kept = withoutExpired(after);
                      write(kept);
                      removeDropped(before, kept);
                      return new Step.Done(kept);
                    }
                    return step;
                  } catch (GeneralSecurityException e) {
                    throw new IOException(e.getMessage(), e);
                  }
                }));
  }

  private <T> T guarded(Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The keys in " + folder + " cannot be used: " + e, e);
    }
  }

  private Ring readOrCreate() throws IOException {
    try {
      Optional<Ring> known = read();
      if (known.isPresent()) {
        return known.get();
      }
      if (manifest.lists(folder.resolve(RING))) {
        throw new IOException(folder.resolve(RING) + " is missing, and no new keys are made in place of lost ones");
      }
      Ring first = new Ring(generate(), Optional.empty(), Optional.empty(), List.of());
      write(first);
      return first;
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Optional<Ring> read() throws IOException, GeneralSecurityException {
    Properties names = new Properties();
    try {
      names.load(new StringReader(Files.readString(folder.resolve(RING))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Optional<SigningKey> current = key(names, "current");
    if (current.isEmpty()) {
      throw new GeneralSecurityException("the file ring names no current key");
    }
    return Optional.of(new Ring(current.get(), key(names, "next"), key(names, "previous"), retired(names)));
  }

  /** Throws if the file does not say which key is current, or if a key that it names cannot be read. */
  static void requireNamesFiles(Path ring) throws IOException, GeneralSecurityException {
    Properties names = new Properties();
    names.load(new StringReader(Files.readString(ring)));
    if (names.getProperty("current", "").isEmpty()) {
      throw new GeneralSecurityException("it names no current key");
    }
    for (String name : names.stringPropertyNames()) {
      String id = name.startsWith(RETIRED) ? name.substring(RETIRED.length()) : names.getProperty(name, "");
      SigningKeys.parse(Files.readAllBytes(ring.resolveSibling(id + ".pem")));
    }
  }

  /** Returns the ids of the keys that a ring names; empty if the file is not a ring of ours or does not exist. */
  static Optional<Set<String>> ids(Path ring) {
    Optional<byte[]> text = PrivateFiles.read(ring);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Properties names = new Properties();
    try {
      names.load(new StringReader(new String(text.get(), StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return names.getProperty("current", "").isEmpty()
        ? Optional.empty()
        : Optional.of(
            names.stringPropertyNames().stream()
                .map(name -> name.startsWith(RETIRED) ? name.substring(RETIRED.length()) : names.getProperty(name, ""))
                .collect(Collectors.toSet()));
  }

  private List<Retired> retired(Properties names) throws IOException, GeneralSecurityException {
    List<Retired> retired = new ArrayList<>();
    for (String name : new TreeSet<>(names.stringPropertyNames())) {
      if (name.startsWith(RETIRED)) {
        try {
          Instant until = Instant.parse(names.getProperty(name, ""));
          byte[] pem = Files.readAllBytes(file(name.substring(RETIRED.length())));
          retired.add(new Retired(SigningKeys.parse(pem), until));
        } catch (DateTimeException e) {
          throw new GeneralSecurityException("the file ring has no time for " + name, e);
        }
      }
    }
    return List.copyOf(retired);
  }

  private Ring withoutExpired(Ring ring) {
    Instant now = time.instant();
    List<Retired> lasting = ring.retired().stream().filter(r -> now.isBefore(r.until())).toList();
    return new Ring(ring.current(), ring.next(), ring.previous(), lasting);
  }

  private Optional<SigningKey> key(Properties names, String state) throws IOException, GeneralSecurityException {
    String id = names.getProperty(state, "");
    if (id.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SigningKeys.parse(Files.readAllBytes(file(id))));
  }

  private SigningKey generate() throws GeneralSecurityException, IOException {
    SigningKey key =
        use.isEncryption()
            ? SigningKeys.makeForEncryption(algorithm, commonName, time.instant(), random)
            : SigningKeys.make(algorithm, commonName, time.instant(), random);
    PrivateFiles.replace(file(key.id()), SigningKeys.format(key));
    manifest.add(file(key.id()));
    return key;
  }

  private void write(Ring ring) throws IOException {
    StringBuilder names = new StringBuilder("# Written by gatehouse keys. Which key is what.\n");
    names.append("current=").append(ring.current().id()).append('\n');
    ring.next().ifPresent(key -> names.append("next=").append(key.id()).append('\n'));
    ring.previous().ifPresent(key -> names.append("previous=").append(key.id()).append('\n'));
    ring.retired().forEach(r -> names.append(RETIRED).append(r.key().id()).append('=').append(r.until()).append('\n'));
    PrivateFiles.replace(folder.resolve(RING), names.toString());
    manifest.add(folder.resolve(RING));
  }

  private void removeDropped(Ring before, Ring after) throws IOException {
    Set<String> kept = all(after).map(SigningKey::id).collect(Collectors.toSet());
    for (SigningKey key : all(before).toList()) {
      if (!kept.contains(key.id())) {
        manifest.remove(file(key.id()));
        Files.deleteIfExists(file(key.id()));
      }
    }
  }

  private static Stream<SigningKey> all(Ring ring) {
    return Stream.of(
            Stream.of(ring.current()), ring.next().stream(), ring.previous().stream(),
            ring.retired().stream().map(Retired::key))
        .flatMap(keys -> keys);
  }

  private Path file(String id) {
    return folder.resolve(id + ".pem");
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
