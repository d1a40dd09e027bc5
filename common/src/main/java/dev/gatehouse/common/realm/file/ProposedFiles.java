package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Files that somebody proposes in place of those in use. They may name each other, and files that the configuration in use names
 * already; nothing else of the disk is read, so that no proposal finds out what is there.
 */
public final class ProposedFiles {

  /**
   * The result of reading proposed files.
   *
   * @param tree the files that would be in use, as far as they could be read
   * @param problems empty if the files could be used
   * @param result what was read; empty if nothing was
   */
  public record Plan(FileTree tree, List<Problem> problems, Optional<ConfigurationFiles.Result> result) {}

  /** The folder of {@link Contents} beside the copy of a revision, in which no revision may have a file. */
  public static final String CONTENTS_FOLDER = ".contents";

  /** Keeps contents of a revision in the database on disk, for those who read files by themselves. */
  public interface Contents {
    Path onDisk(byte[] content);
  }

  private final ConfigurationFiles files;
  private final FileTree used;
  private final Set<Path> followed;
  private final Path root;
  private final Optional<Contents> revision;

  /** Creates the reader of files in place of those on disk. */
  public ProposedFiles(ConfigurationFiles files, Path root, FileTree used, Set<Path> followed) {
    this(files, root, used, followed, Optional.empty());
  }

  private ProposedFiles(
      ConfigurationFiles files, Path root, FileTree used, Set<Path> followed, Optional<Contents> revision) {
    this.files = files;
    this.used = used;
    this.followed = followed;
    this.root = root.toAbsolutePath().normalize();
    this.revision = revision;
  }

  /**
   * Creates the reader of files in place of those of a revision in the database.
   *
   * @param root the folder that paths of problems are in
   * @param used the files of the revision, with the contents of its secrets
   */
  public static ProposedFiles ofRevision(ConfigurationFiles files, Path root, FileTree used, Contents contents) {
    return new ProposedFiles(files, root, used, Set.of(), Optional.of(contents));
  }

  /** Reads the files in use. */
  public Plan asTheyAre() {
    return plan(Map.of(), false);
  }

  /**
   * Reads proposed files.
   *
   * @param proposed contents by their paths within the configuration directory
   * @param complete whether realms without a file among them are removed
   */
  public Plan plan(Map<String, byte[]> proposed, boolean complete) {
    List<Problem> problems = new ArrayList<>();
    Map<Path, byte[]> contents = new HashMap<>();
    proposed.forEach((name, content) -> within(name, problems).ifPresent(path -> contents.put(path, content)));
    Set<Path> realms = new TreeSet<>();
    contents.keySet().stream().filter(this::isRealm).forEach(realms::add);
    if (!complete) {
      used.files().keySet().stream().map(root::resolve).filter(this::isRealm).forEach(realms::add);
    }
    if (!problems.isEmpty()) {
      return new Plan(used, List.copyOf(problems), Optional.empty());
    }
    ConfigurationFiles.Result result = files.read(root, realms, new Source(contents));
    return new Plan(withSecrets(result.tree()), result.problems(), Optional.of(result));
  }

  /**
   * Checks that text as the configuration of a realm of a revision.
   *
   * @param realm its file's problems are reported, and problems between several files
   */
  public ConfigurationFiles.Proposal propose(String realm, String text) {
    Collection<Path> realms = used.files().keySet().stream().map(root::resolve).filter(this::isRealm).toList();
    return files.propose(root, realms, () -> new NamedFiles(new Source(Map.of())), realm, text);
  }

  /** A secret of the configuration in use stays one, even if the proposal names it where a public file belongs. */
  private FileTree withSecrets(FileTree tree) {
    SortedMap<String, FileTree.File> marked = new TreeMap<>(tree.files());
    used.files().forEach((name, file) ->
        marked.computeIfPresent(name, (same, now) -> file.isSecret() ? new FileTree.File(now.content(), true) : now));
    return new FileTree(marked);
  }

  private Optional<Path> within(String name, Collection<Problem> problems) {
    if (revision.isPresent() && name.startsWith(CONTENTS_FOLDER)) {
      problems.add(new Problem(root, 0, "files", "a path begins with " + CONTENTS_FOLDER, "choose another folder: the node has its own files there"));
      return Optional.empty();
    }
    if (revision.isPresent() && FileTree.isSecretPath(name)) {
      problems.add(new Problem(root, 0, "files", "a path is that of a secret", "store secrets by their names, and write {secret: NAME}"));
      return Optional.empty();
    }
    try {
      Path path = root.resolve(name).normalize();
      if (!name.isEmpty() && path.startsWith(root) && root.relativize(path).toString().equals(name) && !name.equals(ConfigurationFiles.NODE)) {
        return Optional.of(path);
      }
    } catch (InvalidPathException e) {
      // Reported below.
    }
    String remedy = "write it within the configuration directory, like realms/demo.yaml; gatehouse.yaml is no part of it";
    problems.add(new Problem(root, 0, "files", "a path is not that of a file of realms", remedy));
    return Optional.empty();
  }

  private boolean isRealm(Path path) {
    return FileTree.realm(root.relativize(path).toString()).isPresent();
  }

  private final class Source implements NamedFiles.Source {
    private final Map<Path, byte[]> contents;

    Source(Map<Path, byte[]> contents) {
      this.contents = contents;
    }

    @Override
    public Optional<byte[]> content(Path file) {
      byte[] proposed = contents.get(file);
      String name = file.startsWith(root) ? root.relativize(file).toString() : file.toString();
      return proposed != null
          ? Optional.of(proposed).filter(bytes -> bytes.length <= NamedFiles.LARGEST)
          : Optional.ofNullable(used.files().get(name)).map(FileTree.File::content);
    }

    @Override
    public boolean isReadable(Path file) {
      return contents.containsKey(file) || followed.contains(file) && Files.isReadable(file);
    }

    @Override
    public Path onDisk(Path file) {
      return revision.flatMap(place -> content(file).map(place::onDisk)).orElse(file);
    }

    @Override
    public boolean isRevision() {
      return revision.isPresent();
    }
  }
}
