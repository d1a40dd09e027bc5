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
   */
  public record Plan(FileTree tree, List<Problem> problems) {}

  private final ConfigurationFiles files;
  private final FileTree used;
  private final Set<Path> followed;
  private final Path root;

  ProposedFiles(ConfigurationFiles files, FileTree used, Set<Path> followed) {
    this.files = files;
    this.used = used;
    this.followed = followed;
    this.root = files.directory().toAbsolutePath().normalize();
  }

  Plan plan(Map<String, byte[]> proposed, boolean complete) {
    List<Problem> problems = new ArrayList<>();
    Map<Path, byte[]> contents = new HashMap<>();
    proposed.forEach((name, content) -> within(name, problems).ifPresent(path -> contents.put(path, content)));
    Set<Path> realms = new TreeSet<>();
    contents.keySet().stream().filter(this::isRealm).forEach(realms::add);
    if (!complete) {
      used.files().keySet().stream().map(root::resolve).filter(this::isRealm).forEach(realms::add);
    }
    if (!problems.isEmpty()) {
      return new Plan(used, List.copyOf(problems));
    }
    ConfigurationFiles.Result result = files.read(realms, source(contents));
    return new Plan(withSecrets(FileTree.of(files.directory(), result.realmFiles())), result.problems());
  }

  /** A secret of the configuration in use stays one, even if the proposal names it where a public file belongs. */
  private FileTree withSecrets(FileTree tree) {
    SortedMap<String, FileTree.File> marked = new TreeMap<>(tree.files());
    used.files().forEach((name, file) ->
        marked.computeIfPresent(name, (same, now) -> file.isSecret() ? new FileTree.File(now.content(), true) : now));
    return new FileTree(marked);
  }

  private Optional<Path> within(String name, Collection<Problem> problems) {
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

  private NamedFiles.Source source(Map<Path, byte[]> contents) {
    return new NamedFiles.Source() {
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
    };
  }
}
