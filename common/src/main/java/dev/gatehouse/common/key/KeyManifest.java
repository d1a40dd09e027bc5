package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The list of key files of an installation, in {@code data/keys/manifest}: one line each, with the SHA-256 of those that never
 * change. A listed file that is missing, empty or different is damaged, and no new key is created in its place. Without the
 * manifest (a new installation, {@code storage: volatile}) nothing is listed.
 *
 * <p>A file is added to the list after it was written, and removed from the list before it is deleted. An interruption can
 * therefore leave a file without a line, but never a line without a file.
 */
public final class KeyManifest {

  public static final String NAME = "manifest";

  private static final String LOCK = ".manifest-lock";
  private static final String CHANGES = "-";

  private static final String PEM = ".pem";

  /** Names of key files in the folder itself. */
  private static final Set<String> SINGLE =
      Set.of(SealingKey.NAME, AdministratorKeys.NAME, RegistrationKeys.NAME, AuditSigningKey.NAME);

  private final Path keys;

  /** @param keys the key folder of the node's data directory */
  public KeyManifest(Path keys) {
    this.keys = keys;
  }

  /**
   * A key file that cannot be used.
   *
   * @param what the problem, as the end of a sentence that begins with the file
   */
  public record Problem(Path file, String what) {}

  /** Returns whether the list exists. */
  public boolean isKept() {
    return PrivateFiles.look(keys.resolve(NAME)).isPresent();
  }

  /** Lists every existing key file of ours. Other files that operators store in the folder are not listed. */
  public void adopt() {
    locked(
        () -> {
          Map<String, String> lines = new TreeMap<>();
          for (Path file : files()) {
            // The former version left an empty list when the last key of an administrator was revoked.
            if (Files.size(file) > 0) {
              lines.put(name(file), fingerprint(file));
            }
          }
          write(lines);
        });
  }

  /** Returns whether that file is listed, so that it must exist. */
  boolean lists(Path file) throws IOException {
    return isKept() && own().containsKey(name(file));
  }

  /** Adds a file that has just been written to the list. */
  void add(Path file) throws IOException {
    if (isKept()) {
      change(lines -> lines.put(name(file), fingerprint(file)));
    }
  }

  /** Removes a file that is about to be deleted from the list. */
  void remove(Path file) throws IOException {
    if (isKept()) {
      change(lines -> lines.remove(name(file)));
    }
  }

  /**
   * Returns the listed files that are missing or empty: cheap enough for a health check.
   *
   * @throws FileUnreadable if a file cannot be inspected
   */
  public List<Problem> missing() {
    List<Problem> problems = new ArrayList<>();
    try {
      for (String name : isKept() ? own().keySet() : Set.<String>of()) {
        Path file = keys.resolve(name);
        Optional<BasicFileAttributes> found = PrivateFiles.look(file).filter(BasicFileAttributes::isRegularFile);
        if (found.isEmpty()) {
          problems.add(new Problem(file, "is missing"));
        } else if (found.get().size() == 0) {
          problems.add(new Problem(file, "is empty"));
        }
      }
    } catch (AccessDeniedException e) {
      throw new FileUnreadable(keys.resolve(NAME), e);
    } catch (IOException e) {
      problems.add(new Problem(keys.resolve(NAME), "cannot be read (" + e.getMessage() + ")"));
    }
    return List.copyOf(problems);
  }

  /** Returns all problems of listed files; reads and parses each of them. */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>(missing());
    if (!problems.isEmpty() || !isKept()) {
      return List.copyOf(problems);
    }
    try {
      own().forEach((name, fingerprint) -> unusable(keys.resolve(name), fingerprint).ifPresent(problems::add));
    } catch (IOException e) {
      problems.add(new Problem(keys.resolve(NAME), "cannot be read (" + e.getMessage() + ")"));
    }
    return List.copyOf(problems);
  }

  /** Returns the listed files that are missing or cannot be used; without a list it checks the files of the folder. */
  public List<Path> unusable() {
    try {
      Map<String, String> all = new TreeMap<>();
      if (isKept()) {
        all.putAll(own());
      } else {
        files().forEach(file -> all.put(name(file), CHANGES));
      }
      return all.entrySet().stream()
          .filter(
              line -> {
                Path file = keys.resolve(line.getKey());
                return isEmpty(file) || unusable(file, line.getValue()).isPresent();
              })
          .map(line -> keys.resolve(line.getKey()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + keys, e);
    }
  }

  /** Returns the key files that go with the installation: all but the key of the audit log, which stays with it. */
  public List<Path> moved() {
    try {
      return files().stream().filter(file -> !name(file).equals(AuditSigningKey.NAME)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + keys, e);
    }
  }

  private static boolean isEmpty(Path file) {
    return PrivateFiles.look(file).filter(found -> found.isRegularFile() && found.size() > 0).isEmpty();
  }

  private static Optional<Problem> unusable(Path file, String fingerprint) {
    try {
      if (!fingerprint.equals(CHANGES) && !fingerprint.equals(fingerprint(file))) {
        return Optional.of(new Problem(file, "was changed or damaged since it was made"));
      }
      String name = file.getFileName().toString();
      if (name.endsWith(PEM)) {
        SigningKeys.parse(Files.readAllBytes(file));
      } else if (name.equals(KeyFolder.RING)) {
        RingFile.requireNamesFiles(file);
      } else if (name.equals(AdministratorKeys.NAME) || name.equals(RegistrationKeys.NAME)) {
        NamedKeys.parse(file);
      }
      return Optional.empty();
    } catch (AccessDeniedException e) {
      throw new FileUnreadable(file, e);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      return Optional.of(new Problem(file, "cannot be used (" + e.getMessage() + ")"));
    }
  }

  private interface Change {
    void to(Map<String, String> lines) throws IOException;
  }

  private void change(Change change) throws IOException {
    PrivateFiles.locked(
        keys,
        LOCK,
        () -> {
          Map<String, String> lines = new TreeMap<>(lines());
          change.to(lines);
          write(lines);
          return lines.size();
        });
  }

  private interface Step {
    void run() throws IOException;
  }

  private void locked(Step step) {
    try {
      PrivateFiles.locked(
          keys,
          LOCK,
          () -> {
            step.run();
            return keys;
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + keys.resolve(NAME), e);
    }
  }

  private Map<String, String> lines() throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (String line : Files.readAllLines(keys.resolve(NAME))) {
      if (!line.startsWith("#")) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 2) {
          throw new IOException("a line has not name and digest, separated by a tab");
        }
        lines.put(fields[0], fields[1]);
      }
    }
    return lines;
  }

  private void write(Map<String, String> lines) throws IOException {
    StringBuilder text = new StringBuilder("# Written by gatehouse. The key files of this installation, and their SHA-256.\n");
    lines.forEach((name, fingerprint) -> text.append(name).append('\t').append(fingerprint).append('\n'));
    PrivateFiles.replace(keys.resolve(NAME), text.toString());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(keys)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> isOwn(name(file)))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Returns the lines without files of operators, which the former version listed. */
  private Map<String, String> own() throws IOException {
    Map<String, String> own = lines();
    own.keySet().removeIf(name -> !isOwn(name));
    return own;
  }

  /** Returns whether we write files of that name: decided by the folder, and for a key by the ring beside it, which names all keys. */
  private boolean isOwn(String name) {
    Path file = Path.of(name);
    if (file.getNameCount() == 1) {
      return SINGLE.contains(name);
    }
    String last = file.getFileName().toString();
    if (file.getNameCount() != 3 || !KeyFolder.isUse(file.getName(1).toString()) || last.startsWith(".")) {
      return false;
    }
    if (last.equals(KeyFolder.RING)) {
      return true;
    }
    return last.endsWith(PEM)
        && RingFile.ids(keys.resolve(file).resolveSibling(KeyFolder.RING))
            .map(ids -> ids.contains(last.substring(0, last.length() - PEM.length())))
            .orElse(true);
  }

  private String name(Path file) {
    return keys.relativize(file).toString();
  }

  /** Returns the SHA-256 of files that never change, which are keys; rings and lists of named keys do change. */
  private static String fingerprint(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (!name.endsWith(PEM) && !name.equals(SealingKey.NAME)) {
      return CHANGES;
    }
    return Sha256.hex(Files.readAllBytes(file));
  }
}
