package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.Realm.Revision;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of one configuration file: itself and those that it names. Each is read once, so that the content that was checked is
 * the content that was hashed. Files that could not be read are remembered too, since they may appear.
 */
public final class NamedFiles {

  /** Files of a configuration are not larger; larger files are not read. */
  public static final int LARGEST = 1 << 20;

  /** The place of the contents. */
  public interface Source {

    /** Returns the content; empty if there is no such file that can be used. */
    Optional<byte[]> content(Path file);

    /** Returns whether the file can be read by those who follow it by themselves. */
    boolean isReadable(Path file);

    /** Returns the file on disk that has the content, for those who read it by themselves. */
    Path onDisk(Path file);

    /** Returns whether the files are a revision in the database, which reads neither variables nor other files. */
    boolean isRevision();
  }

  private static final Source DISK =
      new Source() {
        @Override
        public Optional<byte[]> content(Path file) {
          return NamedFiles.contentOnDisk(file);
        }

        @Override
        public boolean isReadable(Path file) {
          return Files.isRegularFile(file) && Files.isReadable(file);
        }

        @Override
        public Path onDisk(Path file) {
          return file;
        }

        @Override
        public boolean isRevision() {
          return false;
        }
      };

  private final Source source;
  private final Map<Path, Optional<byte[]>> contents = new LinkedHashMap<>();
  private final Set<Path> followed = new HashSet<>();
  private final Set<Path> secret = new HashSet<>();

  /** Creates a set of files on disk. */
  public NamedFiles() {
    this(DISK);
  }

  public NamedFiles(Source source) {
    this.source = source;
  }

  /** Returns the content; empty if the file is missing, unreadable, not a regular file or larger than {@link #LARGEST}. */
  public Optional<byte[]> read(Path file) {
    Path path = file.toAbsolutePath().normalize();
    return isRevision() && isNamedSecret(path) ? Optional.empty() : contents.computeIfAbsent(path, source::content);
  }

  /** A page or certificate must not show a named secret of a revision, so that only {@code {secret: NAME}} reads one. */
  private static boolean isNamedSecret(Path path) {
    Path folder = path.getParent();
    return folder != null && folder.endsWith(YamlSource.SECRETS);
  }

  /** Returns the content of one of {@link #paths}; empty if it could not be read. */
  Optional<byte[]> content(Path file) {
    return contents.getOrDefault(file, Optional.empty());
  }

  /** Reads a file whose content is a secret, for example a private key; see {@link #isSecret}. */
  public Optional<byte[]> readSecret(Path file) {
    Path path = file.toAbsolutePath().normalize();
    secret.add(path);
    return contents.computeIfAbsent(path, source::content);
  }

  /** Reads the file of a variable, which is on disk always: the environment named it. */
  public Optional<byte[]> readVariable(Path file) {
    Path path = file.toAbsolutePath().normalize();
    secret.add(path);
    return contents.computeIfAbsent(path, NamedFiles::contentOnDisk);
  }

  /** Returns whether a file can be read that others follow by themselves; it is none of these files, but part of a revision. */
  public boolean follow(Path file) {
    Path path = file.toAbsolutePath().normalize();
    followed.add(path);
    return isRevision() ? read(path).isPresent() : source.isReadable(path);
  }

  /** Returns the file on disk that has the content of this one. */
  public Path onDisk(Path file) {
    return source.onDisk(file.toAbsolutePath().normalize());
  }

  /** Returns whether these are files of a revision in the database. */
  public boolean isRevision() {
    return source.isRevision();
  }

  /** Returns the files that others follow. */
  public Set<Path> followed() {
    return followed;
  }

  /** Returns whether the file was read as a secret. */
  public boolean isSecret(Path file) {
    return secret.contains(file.toAbsolutePath().normalize());
  }

  /** Uses that content for the file, whatever is on disk. */
  public void assume(Path file, byte[] content) {
    contents.put(file.toAbsolutePath().normalize(), content.length > LARGEST ? Optional.empty() : Optional.of(content));
  }

  /** Returns an identification of these files and their contents. */
  public String state() {
    return contents.keySet() + ":" + HexFormat.of().formatHex(digest());
  }

  /** Returns all files of these, sorted by path. */
  public static NamedFiles union(Collection<NamedFiles> all) {
    NamedFiles union = new NamedFiles();
    TreeMap<Path, Optional<byte[]>> sorted = new TreeMap<>();
    all.forEach(files -> files.contents.forEach(sorted::putIfAbsent));
    union.contents.putAll(sorted);
    all.forEach(files -> union.secret.addAll(files.secret));
    all.forEach(files -> union.followed.addAll(files.followed));
    return union;
  }

  public Set<Path> paths() {
    return contents.keySet();
  }

  /** Returns the revision: the same contents in the same order have the same revision, in any folder. */
  public Revision revision() {
    return new Revision(HexFormat.of().formatHex(digest(), 0, 6));
  }

  public byte[] digest() {
    return digest(contents.values());
  }

  /** Returns the digest of all files but this one. */
  public byte[] digestOfOthers(Path file) {
    Map<Path, Optional<byte[]>> others = new LinkedHashMap<>(contents);
    others.remove(file.toAbsolutePath().normalize());
    return digest(others.values());
  }

  private static byte[] digest(Collection<Optional<byte[]>> contents) {
    MessageDigest sha256 = Sha256.instance();
    for (Optional<byte[]> content : contents) {
      sha256.update(ByteBuffer.allocate(4).putInt(content.map(c -> c.length).orElse(-1)).flip());
      content.ifPresent(sha256::update);
    }
    return sha256.digest();
  }

  public static Optional<byte[]> contentOnDisk(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(LARGEST + 1);
      return content.length > LARGEST ? Optional.empty() : Optional.of(content);
    } catch (IOException e) {
      // The cause does not matter here: the reader of the key reports the failure with its remedy.
      return Optional.empty();
    }
  }
}
