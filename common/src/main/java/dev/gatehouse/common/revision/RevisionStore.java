package dev.gatehouse.common.revision;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcRevisions;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.db.Revision.StoredFile;
import dev.gatehouse.common.db.Revision.StoredSecret;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.RevisionDiff.Side;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stores the revisions of the configuration, with sealed contents, and compares them. A revision is never changed. Blocks: call on
 * virtual threads only.
 */
public final class RevisionStore {

  private static final String PURPOSE = "configuration";
  private static final String SECRET = "configuration secret";

  private final JdbcRevisions revisions;
  private final SealingKey key;
  private final InstantSource clock;
  private final LocalRevision local;

  public RevisionStore(Database database, SealingKey key, InstantSource clock) {
    this(database, key, clock, LocalRevision.NONE);
  }

  public RevisionStore(Database database, SealingKey key, InstantSource clock, LocalRevision local) {
    this.local = local;
    this.revisions = new JdbcRevisions(database);
    this.key = key;
    this.clock = clock;
  }

  /** Returns the newest revision; empty if there is none yet. */
  public Optional<Revision> latest() {
    return before(Long.MAX_VALUE, 1).stream().findFirst();
  }

  public Optional<Revision> find(long number) {
    return revisions.find(number);
  }

  /** Returns at most that many revisions before a number, the newest first. */
  public List<Revision> before(long number, int limit) {
    return revisions.before(number, limit);
  }

  /** Returns the files of a revision, ordered by path; none if there is no such revision. */
  public List<StoredFile> files(long number) {
    return revisions.files(number);
  }

  /** Returns the content of a file; empty if it is a secret. */
  public Optional<byte[]> content(StoredFile file) {
    return file.isSecret()
        ? Optional.empty()
        : revisions.content(file.digest()).map(sealed -> Compression.expand(key.open(sealed, PURPOSE, file.digest())));
  }

  /** Returns what a revision changed in another one; all its files are new against number 0. */
  public RevisionDiff diff(long before, long after) {
    return diff(files(before), files(after), Map.of());
  }

  /** Returns what the files would change in a revision. */
  public RevisionDiff diff(long before, FileTree proposed) {
    Map<String, FileTree.File> contents = new HashMap<>();
    return diff(files(before), stored(proposed, contents), contents);
  }

  private RevisionDiff diff(List<StoredFile> before, List<StoredFile> after, Map<String, FileTree.File> known) {
    Set<StoredFile> same = new HashSet<>(before);
    same.retainAll(Set.copyOf(after));
    return RevisionDiff.of(sides(before, same, known), sides(after, same, known));
  }

  private SortedMap<String, Side> sides(List<StoredFile> files, Set<StoredFile> without, Map<String, FileTree.File> known) {
    SortedMap<String, Side> sides = new TreeMap<>();
    for (StoredFile file : files) {
      if (!without.contains(file)) {
        Optional<FileTree.File> content =
            Optional.ofNullable(known.get(file.digest())).or(() -> content(file).map(bytes -> new FileTree.File(bytes, false)));
        sides.put(file.path(), new Side(file.digest(), file.isSecret(), content.flatMap(FileTree.File::text)));
      }
    }
    return sides;
  }

  /**
   * Stores the next revision, unless its files are those of the newest one.
   *
   * @return the new revision; empty if nothing has changed
   */
  public Optional<Revision> add(FileTree tree, String author, String reason) {
    Map<String, FileTree.File> contents = new HashMap<>();
    List<StoredFile> files = stored(tree, contents);
    return revisions.add(
        files,
        digest -> sealed(contents, digest),
        author,
        clock.instant(),
        reason);
  }

  /** Returns the number of the revision in use; empty if files hold the configuration. */
  public Optional<Long> inUse() {
    return revisions.inUse();
  }

  /** Returns the revision in use with which a node starts, also while the database is away; empty if files hold the configuration. */
  Optional<LocalRevision.Held> first() {
    return local.held().or(() -> inUse().map(number -> new LocalRevision.Held(number, tree(number))));
  }

  /** Keeps the revision that this node serves, for a start while the database is away. */
  void keep(long number, FileTree tree) {
    local.keep(number, tree);
  }

  /** Records that files hold the configuration. */
  public void useFiles() {
    revisions.useFiles();
  }

  /**
   * Stores the next revision and brings it into use.
   *
   * @param expected the revision that must be in use; 0: files hold the configuration
   * @param secrets new values by their names
   * @return the new revision; empty if another one than expected is in use
   */
  Optional<Revision> use(long expected, FileTree tree, Map<String, byte[]> secrets, String author, String reason) {
    Map<String, FileTree.File> contents = new HashMap<>();
    List<StoredFile> files = stored(tree, contents);
    Map<String, byte[]> sealed = new TreeMap<>();
    secrets.forEach((name, value) -> sealed.put(name, sealedSecret(name, value)));
    return revisions.use(expected, files, digest -> sealed(contents, digest), sealed, author, clock.instant(), reason);
  }

  /** Returns the files of a revision; secrets have their present values. */
  public FileTree tree(long number) {
    SortedMap<String, FileTree.File> tree = new TreeMap<>(secretFiles());
    contents(number).forEach((path, content) -> tree.put(path, new FileTree.File(content, false)));
    return new FileTree(tree);
  }

  /** Returns the contents of a revision's files by their paths, without secrets. */
  SortedMap<String, byte[]> contents(long number) {
    SortedMap<String, byte[]> contents = new TreeMap<>();
    files(number).forEach(file -> content(file).ifPresent(content -> contents.put(file.path(), content)));
    return contents;
  }

  /** Returns all secrets as files {@code secrets/NAME}. */
  SortedMap<String, FileTree.File> secretFiles() {
    SortedMap<String, FileTree.File> files = new TreeMap<>();
    for (StoredSecret secret : secrets()) {
      revisions
          .secret(secret.name())
          .ifPresent(sealed -> files.put(FileTree.secret(secret.name()), new FileTree.File(key.open(sealed, SECRET, secret.name()), true)));
    }
    return files;
  }

  /** Returns all named secrets without their values, ordered by name. */
  public List<StoredSecret> secrets() {
    return revisions.secrets();
  }

  void keepSecret(String name, byte[] value, String author) {
    revisions.keepSecret(name, sealedSecret(name, value), author, clock.instant());
  }

  boolean removeSecret(String name) {
    return revisions.removeSecret(name);
  }

  private byte[] sealedSecret(String name, byte[] value) {
    return key.seal(value, SECRET, name);
  }

  private byte[] sealed(Map<String, FileTree.File> contents, String digest) {
    return key.seal(Compression.compress(Objects.requireNonNull(contents.get(digest)).content()), PURPOSE, digest);
  }

  /** Returns the files as they are stored; their contents are added to the map, by digest. */
  private List<StoredFile> stored(FileTree tree, Map<String, FileTree.File> contents) {
    List<StoredFile> files = new ArrayList<>();
    tree.files()
        .forEach(
            (path, file) -> {
              String digest = key.digest(Sha256.hex(file.content()), PURPOSE);
              files.add(new StoredFile(path, digest, file.isSecret()));
              if (!file.isSecret()) {
                contents.put(digest, file);
              }
            });
    return files;
  }
}
