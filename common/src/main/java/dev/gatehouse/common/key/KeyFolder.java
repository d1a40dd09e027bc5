package dev.gatehouse.common.key;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * The made keys of one realm and use on disk, {@code data/keys/{realm}/{use}/}: each key in a PEM file named by its id, and
 * the file {@code ring}, which says which one is current, next and previous. Every change replaces {@code ring} at once;
 * whoever is interrupted leaves a key that nothing names. Safe between processes: the command line changes what a node
 * runs with, and the node takes it over within {@link FileKeyRings#LOOK_AGAIN}.
 */
public final class KeyFolder {

  private static final String RING = "ring";

  private final Path folder;
  private final KeyAlgorithm algorithm;
  private final String commonName;
  private final InstantSource time;
  private final SecureRandom random;

  KeyFolder(Path keys, String realm, KeyUse use, KeyAlgorithm algorithm, InstantSource time, SecureRandom random) {
    this.folder = keys.resolve(realm).resolve(use.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    this.algorithm = algorithm;
    String name = "Gatehouse " + realm + " " + folder.getFileName();
    this.commonName = name.substring(0, Math.min(name.length(), 64));
    this.time = time;
    this.random = random;
  }

  /** Which key is what. */
  public record Ring(SigningKey current, Optional<SigningKey> next, Optional<SigningKey> previous) {}

  /** What came of a step of the rotation. */
  public sealed interface Step {
    record Done(Ring ring) implements Step {}

    /** Nothing was changed. @param why for the operator */
    record Refused(String why) implements Step {}
  }

  /** The keys; the first is made where there is none. Throws {@link IllegalStateException} where they cannot be read. */
  public Ring load() {
    return guarded(
        () -> {
          Optional<Ring> ring = read();
          return ring.isPresent() ? ring.get() : PrivateFiles.locked(folder, this::readOrMake);
        });
  }

  /** Makes the next key. It is published from now on: wait until partners took over the metadata before {@link #promote}. */
  public Step prepare() {
    return step(
        ring -> {
          if (ring.next().isPresent()) {
            return new Step.Refused("there is a next key already: " + ring.next().get().id());
          }
          return new Step.Done(new Ring(ring.current(), Optional.of(make()), ring.previous()));
        });
  }

  /** Next becomes current and signs; current becomes previous and stays published. */
  public Step promote() {
    return step(
        ring -> {
          if (ring.next().isEmpty()) {
            return new Step.Refused("there is no next key: prepare one, and let partners take over the metadata");
          }
          if (ring.previous().isPresent()) {
            return new Step.Refused("there is still a previous key: retire " + ring.previous().get().id() + " first");
          }
          return new Step.Done(new Ring(ring.next().get(), Optional.empty(), Optional.of(ring.current())));
        });
  }

  /** Drops the previous key: no longer published, its file removed. */
  public Step retire() {
    return step(
        ring ->
            ring.previous().isEmpty()
                ? new Step.Refused("there is no previous key")
                : new Step.Done(new Ring(ring.current(), ring.next(), Optional.empty())));
  }

  /** Changes when another ring was written; empty before the first. */
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
                    Ring before = readOrMake();
                    Step step = change.of(before);
                    if (step instanceof Step.Done(Ring after)) {
                      write(after);
                      removeRetired(before, after);
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

  private Ring readOrMake() throws IOException {
    try {
      Optional<Ring> known = read();
      if (known.isPresent()) {
        return known.get();
      }
      Ring first = new Ring(make(), Optional.empty(), Optional.empty());
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
    return Optional.of(new Ring(current.get(), key(names, "next"), key(names, "previous")));
  }

  private Optional<SigningKey> key(Properties names, String state) throws IOException, GeneralSecurityException {
    String id = names.getProperty(state, "");
    if (id.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SigningKeys.parse(Files.readAllBytes(file(id))));
  }

  private SigningKey make() throws GeneralSecurityException, IOException {
    SigningKey key = SigningKeys.make(algorithm, commonName, time.instant(), random);
    PrivateFiles.replace(file(key.id()), SigningKeys.format(key));
    return key;
  }

  private void write(Ring ring) throws IOException {
    StringBuilder names = new StringBuilder("# Written by gatehouse keys. Which key is what.\n");
    names.append("current=").append(ring.current().id()).append('\n');
    ring.next().ifPresent(key -> names.append("next=").append(key.id()).append('\n'));
    ring.previous().ifPresent(key -> names.append("previous=").append(key.id()).append('\n'));
    PrivateFiles.replace(folder.resolve(RING), names.toString());
  }

  private void removeRetired(Ring before, Ring after) throws IOException {
    if (before.previous().isPresent() && after.previous().isEmpty()) {
      Files.deleteIfExists(file(before.previous().get().id()));
    }
  }

  private Path file(String id) {
    return folder.resolve(id + ".pem");
  }
}
