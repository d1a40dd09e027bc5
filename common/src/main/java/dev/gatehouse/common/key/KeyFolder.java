package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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

  private final KeyPlace place;
  private final Path folder;
  private final KeyUse use;
  private final KeyAlgorithm algorithm;
  private final String commonName;
  private final InstantSource time;
  private final SecureRandom random;

  KeyFolder(KeyPlace place, String realm, KeyUse use, KeyAlgorithm algorithm, InstantSource time, SecureRandom random) {
    this.place = place;
    this.folder = place.root().resolve(realm).resolve(name(use));
    this.use = use;
    this.algorithm = use.algorithm(algorithm);
    String name = "Gatehouse " + realm + " " + folder.getFileName();
    this.commonName = name.substring(0, Math.min(name.length(), 64));
    this.time = time;
    this.random = random;
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
      SigningKey current, Optional<SigningKey> next, Optional<SigningKey> previous, List<Retired> retired, Since since) {}

  /**
   * When keys got their state; of a key from the former version, when its ring was last written.
   *
   * @param next when the next key was published; empty if there is none
   * @param previous when the previous key stopped signing; empty if there is none
   */
  public record Since(Optional<Instant> next, Optional<Instant> previous) {
    static final Since NOTHING = new Since(Optional.empty(), Optional.empty());
  }

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

  /** What has to happen before a step takes effect, for example that it is audited. Nothing changes if it throws. */
  public interface Commit {
    void accept(Ring before, Ring after);
  }

  private static final Commit AT_ONCE = (before, after) -> {};

  /** Returns the keys; empty if none was needed yet. Throws {@link IllegalStateException} if they cannot be read. */
  public Optional<Ring> find() {
    return guarded(new RingFile(place, folder)::read);
  }

  /** Takes a step once it is committed. */
  public Step take(RotationStep step, Commit commit) {
    return switch (step) {
      case PREPARE -> prepare(commit);
      case PROMOTE -> promote(commit);
      case RETIRE -> retire(commit);
    };
  }

  /**
   * Returns the keys; generates the first one if there is none. Throws {@link IllegalStateException} if they cannot be read.
   */
  public Ring load() {
    return guarded(
        () -> {
          Optional<Ring> ring = new RingFile(place, folder).read();
          return ring.isPresent() ? ring.get() : place.locked(folder, this::readOrCreate);
        });
  }

  /**
   * Generates the next key. It is published from now on: wait until partners have adopted the metadata before {@link #promote}.
   */
  public Step prepare() {
    return prepare(AT_ONCE);
  }

  private Step prepare(Commit commit) {
    return step(
        commit,
        ring -> {
          if (ring.next().isPresent()) {
            return new Step.Refused("there is a next key already: " + ring.next().get().id());
          }
          Since since = new Since(Optional.of(time.instant()), ring.since().previous());
          return new Step.Done(new Ring(ring.current(), Optional.of(generate()), ring.previous(), ring.retired(), since));
        });
  }

  /** Makes the next key current, so that it signs; the former current key becomes previous and stays published. */
  public Step promote() {
    return promote(AT_ONCE);
  }

  private Step promote(Commit commit) {
    return step(
        commit,
        ring -> {
          if (ring.next().isEmpty()) {
            return new Step.Refused("there is no next key: prepare one, and let partners take over the metadata");
          }
          if (ring.previous().isPresent()) {
            return new Step.Refused("there is still a previous key: retire " + ring.previous().get().id() + " first");
          }
          Since since = new Since(Optional.empty(), Optional.of(time.instant()));
          return new Step.Done(
              new Ring(ring.next().get(), Optional.empty(), Optional.of(ring.current()), ring.retired(), since));
        });
  }

  /**
   * Drops the previous key: it is no longer published, and its file is removed. A key for encryption still decrypts for {@link
   * #GRACE}.
   */
  public Step retire() {
    return retire(AT_ONCE);
  }

  private Step retire(Commit commit) {
    return step(
        commit,
        ring -> {
          if (ring.previous().isEmpty()) {
            return new Step.Refused("there is no previous key");
          }
          List<Retired> retired = new ArrayList<>(ring.retired());
          if (use.isEncryption()) {
            retired.add(new Retired(ring.previous().get(), time.instant().plus(GRACE)));
          }
          Since since = new Since(ring.since().next(), Optional.empty());
          return new Step.Done(new Ring(ring.current(), ring.next(), Optional.empty(), List.copyOf(retired), since));
        });
  }

  /** Returns a stamp that changes when another ring is written; empty before the first. */
  Optional<Object> stamp() {
    return place.stamp(folder.resolve(RING));
  }

  private interface Change {
    Step of(Ring ring) throws GeneralSecurityException, IOException;
  }

  private interface Reading<T> {
    T read() throws IOException, GeneralSecurityException;
  }

  private Step step(Commit commit, Change change) {
    return guarded(
        () ->
            place.locked(
                folder,
                () -> {
                  try {
                    Ring before = readOrCreate();
                    Step step = change.of(before);
                    if (step instanceof Step.Done(Ring after)) {
                      Ring kept = withoutExpired(after);
                      commit(commit, before, kept);
                      write(kept);
                      removeFiles(before, kept);
                      return new Step.Done(kept);
                    }
                    return step;
                  } catch (GeneralSecurityException e) {
                    throw new IOException(e.getMessage(), e);
                  }
                }));
  }

  private void commit(Commit commit, Ring before, Ring after) throws IOException {
    try {
      commit.accept(before, after);
    } catch (RuntimeException e) {
      // A key that was generated for the step has no use.
      removeFiles(after, before);
      throw e;
    }
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
      Optional<Ring> known = new RingFile(place, folder).read();
      if (known.isPresent()) {
        return known.get();
      }
      if (place.lists(folder.resolve(RING))) {
        throw new IOException(folder.resolve(RING) + " is missing, and no new keys are made in place of lost ones");
      }
      Ring first = new Ring(generate(), Optional.empty(), Optional.empty(), List.of(), Since.NOTHING);
      write(first);
      return first;
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Ring withoutExpired(Ring ring) {
    Instant now = time.instant();
    List<Retired> lasting = ring.retired().stream().filter(r -> now.isBefore(r.until())).toList();
    return new Ring(ring.current(), ring.next(), ring.previous(), lasting, ring.since());
  }

  private SigningKey generate() throws GeneralSecurityException, IOException {
    SigningKey key =
        use.isEncryption()
            ? SigningKeys.makeForEncryption(algorithm, commonName, time.instant(), random)
            : SigningKeys.make(algorithm, commonName, time.instant(), random);
    place.replace(file(key.id()), SigningKeys.format(key));
    return key;
  }

  private void write(Ring ring) throws IOException {
    place.replace(folder.resolve(RING), RingFile.text(ring));
  }

  private void removeFiles(Ring of, Ring except) throws IOException {
    Set<String> kept = all(except).map(SigningKey::id).collect(Collectors.toSet());
    for (SigningKey key : all(of).toList()) {
      if (!kept.contains(key.id())) {
        place.delete(file(key.id()));
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
