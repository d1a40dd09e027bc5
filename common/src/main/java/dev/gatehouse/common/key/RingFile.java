package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.KeyFolder.Retired;
import dev.gatehouse.common.key.KeyFolder.Ring;
import dev.gatehouse.common.key.KeyFolder.Since;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The file {@code ring} of a folder of keys, which names them by their ids. */
final class RingFile {

  private static final String RETIRED = "retired.";

  /** Begins the names of lines with times; rings of the former version have none. */
  private static final String SINCE = "since.";

  private static final String NEXT_SINCE = SINCE + "next";
  private static final String PREVIOUS_SINCE = SINCE + "previous";

  private final KeyPlace place;
  private final Path folder;

  RingFile(KeyPlace place, Path folder) {
    this.place = place;
    this.folder = folder;
  }

  /** Returns the keys; empty if the file does not exist. */
  Optional<Ring> read() throws IOException, GeneralSecurityException {
    Properties names = new Properties();
    try {
      names.load(new StringReader(new String(place.read(folder.resolve(KeyFolder.RING)), StandardCharsets.UTF_8)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Optional<SigningKey> current = key(names, "current");
    if (current.isEmpty()) {
      throw new GeneralSecurityException("the file ring names no current key");
    }
    Optional<SigningKey> next = key(names, "next");
    Optional<SigningKey> previous = key(names, "previous");
    Since since =
        new Since(
            next.isPresent() ? Optional.of(since(names, NEXT_SINCE)) : Optional.empty(),
            previous.isPresent() ? Optional.of(since(names, PREVIOUS_SINCE)) : Optional.empty());
    return Optional.of(new Ring(current.get(), next, previous, retired(names), since));
  }

  private Instant since(Properties names, String name) throws IOException, GeneralSecurityException {
    String written = names.getProperty(name, "");
    try {
      return written.isEmpty() ? place.modified(folder.resolve(KeyFolder.RING)) : Instant.parse(written);
    } catch (DateTimeException e) {
      throw new GeneralSecurityException("the file ring has no time for " + name, e);
    }
  }

  /** Throws if the file does not say which key is current, or if a key that it names cannot be read. */
  static void requireNamesFiles(Path ring) throws IOException, GeneralSecurityException {
    Properties names = new Properties();
    names.load(new StringReader(Files.readString(ring)));
    if (names.getProperty("current", "").isEmpty()) {
      throw new GeneralSecurityException("it names no current key");
    }
    for (String id : ids(names)) {
      SigningKeys.parse(Files.readAllBytes(ring.resolveSibling(id + ".pem")));
    }
  }

  private static Set<String> ids(Properties names) {
    return names.stringPropertyNames().stream()
        .filter(name -> !name.startsWith(SINCE))
        .map(name -> name.startsWith(RETIRED) ? name.substring(RETIRED.length()) : names.getProperty(name, ""))
        .collect(Collectors.toSet());
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
    return names.getProperty("current", "").isEmpty() ? Optional.empty() : Optional.of(ids(names));
  }

  private List<Retired> retired(Properties names) throws IOException, GeneralSecurityException {
    List<Retired> retired = new ArrayList<>();
    for (String name : new TreeSet<>(names.stringPropertyNames())) {
      if (name.startsWith(RETIRED)) {
        try {
          Instant until = Instant.parse(names.getProperty(name, ""));
          byte[] pem = place.read(file(name.substring(RETIRED.length())));
          retired.add(new Retired(SigningKeys.parse(pem), until));
        } catch (DateTimeException e) {
          throw new GeneralSecurityException("the file ring has no time for " + name, e);
        }
      }
    }
    return List.copyOf(retired);
  }

  private Optional<SigningKey> key(Properties names, String state) throws IOException, GeneralSecurityException {
    String id = names.getProperty(state, "");
    if (id.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(SigningKeys.parse(place.read(file(id))));
  }

  /** Returns the content of the file for these keys. */
  static String text(Ring ring) {
    StringBuilder names = new StringBuilder("# Written by gatehouse keys. Which key is what.\n");
    names.append("current=").append(ring.current().id()).append('\n');
    ring.next().ifPresent(key -> names.append("next=").append(key.id()).append('\n'));
    ring.previous().ifPresent(key -> names.append("previous=").append(key.id()).append('\n'));
    ring.retired().forEach(r -> names.append(RETIRED).append(r.key().id()).append('=').append(r.until()).append('\n'));
    ring.since().next().ifPresent(at -> names.append(NEXT_SINCE).append('=').append(at).append('\n'));
    ring.since().previous().ifPresent(at -> names.append(PREVIOUS_SINCE).append('=').append(at).append('\n'));
    return names.toString();
  }

  private Path file(String id) {
    return folder.resolve(id + ".pem");
  }
}
