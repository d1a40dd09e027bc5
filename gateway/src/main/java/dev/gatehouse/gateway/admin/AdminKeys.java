package dev.gatehouse.gateway.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The administrator keys of a node, in one file of the data directory. A key is 256 random bits and therefore kept as its
 * plain SHA-256: there is nothing to guess. The command line writes the file, a running node sees the change at its next
 * request.
 */
public final class AdminKeys {
  private static final String PREFIX = "gha_";

  /** One key, without the key. */
  public record Entry(String name, String sha256, Instant createdAt) {}

  private record Loaded(FileTime modified, List<Entry> entries) {}

  private final Path file;
  private final InstantSource time;
  private final RandomGenerator random;
  private volatile Loaded loaded = new Loaded(FileTime.fromMillis(0), List.of());

  public AdminKeys(Path data, InstantSource time, RandomGenerator random) {
    this.file = data.resolve("admin-keys");
    this.time = time;
    this.random = random;
  }

  public Path file() {
    return file;
  }

  public List<Entry> list() {
    FileTime modified = modified();
    Loaded now = loaded;
    if (!modified.equals(now.modified())) {
      now = new Loaded(modified, read());
      loaded = now;
    }
    return now.entries();
  }

  /** The administrator whose key that is. Compares with every key in the same time, whichever fits. */
  public Optional<String> authenticate(String key) {
    byte[] presented = sha256(key).getBytes(StandardCharsets.US_ASCII);
    Optional<String> found = Optional.empty();
    for (Entry entry : list()) {
      if (MessageDigest.isEqual(presented, entry.sha256().getBytes(StandardCharsets.US_ASCII))) {
        found = Optional.of(entry.name());
      }
    }
    return found;
  }

  /** Makes a key and returns it: the only time that it can be seen. Empty where the name is taken. */
  public synchronized Optional<String> create(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")) {
      throw new IllegalArgumentException("a key's name has letters, digits, dots, hyphens, underscores and at-signs only");
    }
    List<Entry> entries = new ArrayList<>(read());
    if (entries.stream().anyMatch(e -> e.name().equals(name))) {
      return Optional.empty();
    }
    byte[] bits = new byte[32];
    random.nextBytes(bits);
    String key = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    entries.add(new Entry(name, sha256(key), time.instant().truncatedTo(ChronoUnit.SECONDS)));
    write(entries);
    return Optional.of(key);
  }

  /** Removes the key of that name; false where there is none. */
  public synchronized boolean revoke(String name) {
    List<Entry> entries = new ArrayList<>(read());
    if (!entries.removeIf(e -> e.name().equals(name))) {
      return false;
    }
    write(entries);
    return true;
  }

  private FileTime modified() {
    try {
      return Files.getLastModifiedTime(file);
    } catch (NoSuchFileException e) {
      return FileTime.fromMillis(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Entry> read() {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).map(AdminKeys::entry).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Entry entry(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != 3) {
      throw new IllegalStateException("the file of administrator keys is damaged: expected `name sha256 time` in a line");
    }
    return new Entry(parts[0], parts[1], Instant.parse(parts[2]));
  }

  private void write(List<Entry> entries) {
    StringBuilder text = new StringBuilder();
    entries.forEach(e -> text.append(String.join(" ", e.name(), e.sha256(), e.createdAt().toString())).append('\n'));
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "admin-keys", ".new", ownerOnly());
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static java.nio.file.attribute.FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  }

  private static String sha256(String key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
