package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keys that were given to somebody, in a file in {@code data/keys}: one line each, with name, time, the SHA-256 of the key, its end
 * or {@code -}, and its grants, separated by commas, or {@code -}. The former version wrote the first three only: such a key has no end, and an
 * administrator's one may do everything. A key is 32 random bytes, so a plain digest protects it as well as a slow one would. The
 * file is read at every verification, so that keys that the command line created or revoked take effect at the next request.
 */
public abstract sealed class NamedKeys permits AdministratorKeys, RegistrationKeys {

  private static final int BYTES = 32;
  private static final String NONE = "-";
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._@ -]{0,63}");

  private final Path folder;
  private final Path file;
  private final KeyPlace place;
  private final KeyChange.Kind kind;
  private final String prefix;
  private final InstantSource time;
  private final RandomGenerator random;

  /** @param prefix the beginning of every key, so that scanners recognise a leaked one */
  NamedKeys(KeyPlace place, String name, KeyChange.Kind kind, String prefix, InstantSource time, RandomGenerator random) {
    this.place = place;
    this.kind = kind;
    this.folder = place.root();
    this.file = folder.resolve(name);
    this.prefix = prefix;
    this.time = time;
    this.random = random;
  }

  /**
   * A key without its secret, which was shown once.
   *
   * @param expiresAt when it ends by itself; empty: never
   * @param grants what an administrator may do with it; none for other keys
   */
  public record NamedKey(
      String name, Instant createdAt, String digest, Optional<Instant> expiresAt, List<AdministratorGrant> grants) {

    /** Returns whether the key has ended by itself. */
    public boolean isExpired(Instant now) {
      return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }
  }

  /** The result of creating a key. */
  public sealed interface Creation {
    /** @param secret shown once and not stored */
    record Created(NamedKey key, String secret) implements Creation {
      @Override
      public String toString() {
        return "Created[" + key.name() + ", ***]";
      }
    }

    /** @param why for the caller */
    record Refused(String why) implements Creation {}
  }

  /** Returns what the keys are for. */
  public KeyChange.Kind kind() {
    return kind;
  }

  /** Returns whether a key may have that name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns why no key can be made under that name; empty if one can. */
  public Optional<String> refusal(String name) {
    return refusal(name, list());
  }

  private static Optional<String> refusal(String name, List<NamedKey> keys) {
    if (!isName(name)) {
      return Optional.of("a name has 1 to 64 letters, digits, spaces or . _ @ -, and begins with a letter or digit");
    }
    return keys.stream().anyMatch(key -> key.name().equals(name))
        ? Optional.of("there is a key named " + name + " already")
        : Optional.empty();
  }

  /** Creates a key under a name that is not in use. */
  public Creation create(String name) {
    return create(name, List.of(), Optional.empty());
  }

  /** Creates a key with grants and an end. */
  Creation create(String name, List<AdministratorGrant> grants, Optional<Instant> expiresAt) {
    return locked(
        () -> {
          List<NamedKey> keys = new ArrayList<>(read());
          Optional<String> refusal = refusal(name, keys);
          if (refusal.isPresent()) {
            return new Creation.Refused(refusal.get());
          }
          byte[] bytes = new byte[BYTES];
          random.nextBytes(bytes);
          String secret = prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
          NamedKey key = new NamedKey(name, time.instant(), digest(secret), expiresAt, grants);
          keys.add(key);
          write(keys);
          return new Creation.Created(key, secret);
        });
  }

  /** Returns the key with that secret, if there is one that has not expired. */
  public Optional<NamedKey> verify(String secret) {
    return find(secret).filter(key -> !key.isExpired(time.instant()));
  }

  /** Returns the expired key with that secret, for the audit of its use; it permits nothing. */
  public Optional<NamedKey> expired(String secret) {
    return find(secret).filter(key -> key.isExpired(time.instant()));
  }

  /** Returns that key as it is now; empty if it was revoked or has expired, even if another one has its name. */
  public Optional<NamedKey> current(String name, String digest) {
    return list().stream()
        .filter(key -> key.name().equals(name) && key.digest().equals(digest) && !key.isExpired(time.instant()))
        .findFirst();
  }

  /** Compares with all keys, each in constant time. */
  private Optional<NamedKey> find(String secret) {
    Optional<NamedKey> found = among(list(), secret);
    if (found.isPresent()) {
      return found;
    }
    // It may have been created a moment ago, by a command or at another node.
    place.refresh();
    return among(list(), secret);
  }

  private static Optional<NamedKey> among(List<NamedKey> keys, String secret) {
    byte[] presented = digest(secret).getBytes(StandardCharsets.US_ASCII);
    Optional<NamedKey> found = Optional.empty();
    for (NamedKey key : keys) {
      if (MessageDigest.isEqual(key.digest().getBytes(StandardCharsets.US_ASCII), presented)) {
        found = Optional.of(key);
      }
    }
    return found;
  }

  /** Returns all keys, the oldest first. */
  public List<NamedKey> list() {
    try {
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }

  /** Revokes and returns the key of that name; empty if there is none. */
  public Optional<NamedKey> revoke(String name) {
    return locked(
        () -> {
          List<NamedKey> keys = read();
          Optional<NamedKey> revoked = keys.stream().filter(key -> key.name().equals(name)).findFirst();
          if (revoked.isPresent()) {
            write(keys.stream().filter(key -> !key.name().equals(name)).toList());
          }
          return revoked;
        });
  }

  private <T> T locked(PrivateFiles.Work<T> work) {
    try {
      return place.locked(folder, work);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot change " + file, e);
    }
  }

  private List<NamedKey> read() throws IOException {
    try {
      return parse(file, place.read(file));
    } catch (NoSuchFileException e) {
      if (place.lists(file)) {
        throw new IOException(file + " is missing", e);
      }
      return List.of();
    }
  }

  /** Parses the keys of a file; throws for a malformed line. */
  static List<NamedKey> parse(Path file) throws IOException {
    return parse(file, Files.readAllBytes(file));
  }

  private static List<NamedKey> parse(Path file, byte[] content) throws IOException {
    boolean administrators = file.endsWith(AdministratorKeys.NAME);
    List<NamedKey> keys = new ArrayList<>();
    for (String line : new String(content, StandardCharsets.UTF_8).lines().toList()) {
      if (!line.startsWith("#")) {
        keys.add(key(line.split("\t", -1), administrators));
      }
    }
    return List.copyOf(keys);
  }

  private static NamedKey key(String[] fields, boolean administrators) throws IOException {
    if (fields.length != 3 && fields.length != 5) {
      throw new IOException("A line has not name, time, digest, end and grants, separated by tabs");
    }
    try {
      Instant createdAt = Instant.parse(fields[1]);
      if (fields.length == 3) {
        return new NamedKey(
            fields[0], createdAt, fields[2], Optional.empty(), administrators ? List.of(AdministratorGrant.ALL) : List.of());
      }
      Optional<Instant> expiresAt = fields[3].equals(NONE) ? Optional.empty() : Optional.of(Instant.parse(fields[3]));
      return new NamedKey(fields[0], createdAt, fields[2], expiresAt, grants(fields[4], administrators));
    } catch (DateTimeParseException e) {
      throw new IOException("A line has no time", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("The key " + fields[0] + " has a wrong grant: " + e.getMessage(), e);
    }
  }

  private static List<AdministratorGrant> grants(String text, boolean administrators) {
    if (!administrators && !text.equals(NONE)) {
      throw new IllegalArgumentException("only an administrator's key has grants");
    }
    return administrators ? Arrays.stream(text.split(",", -1)).map(AdministratorGrant::parse).toList() : List.of();
  }

  private void write(List<NamedKey> keys) throws IOException {
    // The first line stays when the last key is removed, because an empty file counts as damaged.
    StringBuilder lines = new StringBuilder("# Written by gatehouse. Name, time, SHA-256, end and grants of each key.\n");
    for (NamedKey key : keys) {
      String grants = key.grants().isEmpty() ? NONE : key.grants().stream().map(AdministratorGrant::toString).collect(Collectors.joining(","));
      lines.append(key.name()).append('\t').append(key.createdAt()).append('\t').append(key.digest());
      lines.append('\t').append(key.expiresAt().map(Instant::toString).orElse(NONE)).append('\t').append(grants).append('\n');
    }
    place.replace(file, lines.toString());
  }

  private static String digest(String secret) {
    return Sha256.hex(secret);
  }
}
