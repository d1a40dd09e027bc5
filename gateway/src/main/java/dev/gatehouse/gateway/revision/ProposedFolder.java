package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ImportedFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The files of a folder with {@code realms/}, or of one realm in it, as they are sent to a node. For a configuration in the database,
 * the variables of this process's environment and secrets in files become named secrets.
 *
 * @param files the realms' files, and those within the folder that they name
 * @param secrets values by their names; none for a configuration in files
 * @param isComplete whether realms without a file here are removed
 * @param notes for the person who proposes them
 */
public record ProposedFolder(FileTree files, SortedMap<String, byte[]> secrets, boolean isComplete, List<String> notes) {

  /**
   * Reads a folder, or the file of one realm.
   *
   * @param source the place of the node's configuration
   * @throws IllegalArgumentException if it is neither, or has no realm; the message says what is expected
   */
  public static ProposedFolder read(Path proposed, Configuration.Source source, Map<String, String> environment) {
    boolean complete = Files.isDirectory(proposed);
    Path file = proposed.toAbsolutePath().normalize();
    Path directory = complete ? file : Optional.ofNullable(file.getParent()).map(Path::getParent).orElse(file);
    String name = String.valueOf(file.getFileName());
    if (!complete && !(Files.isReadable(file) && file.equals(directory.resolve("realms").resolve(name)))) {
      throw new IllegalArgumentException(proposed + " is neither a folder nor a file realms/NAME.yaml that can be read.");
    }
    ConfigurationFiles files = new ConfigurationFiles(directory, environment);
    Predicate<String> wanted = realm -> complete || realm.equals(name);
    ProposedFolder read =
        switch (source) {
          case FILES -> new ProposedFolder(within(FileTree.of(directory, files.named(wanted))), new TreeMap<>(), complete, List.of());
          case DATABASE -> imported(ImportedFiles.of(files, wanted), complete);
        };
    if (read.files().files().isEmpty()) {
      throw new IllegalArgumentException("There is no realm in " + directory.resolve("realms") + ".");
    }
    return read;
  }

  private static ProposedFolder imported(ImportedFiles imported, boolean complete) {
    SortedMap<String, FileTree.File> files = new TreeMap<>();
    imported.files().forEach((path, content) -> files.put(path, new FileTree.File(content, false)));
    return new ProposedFolder(new FileTree(files), imported.secrets(), complete, imported.notes());
  }

  private static FileTree within(FileTree all) {
    SortedMap<String, FileTree.File> within = new TreeMap<>(all.files());
    within.keySet().removeIf(path -> path.startsWith("/"));
    return new FileTree(within);
  }

  /** Does not contain contents and values. */
  @Override
  public String toString() {
    return "ProposedFolder[" + files.files().keySet() + ", " + secrets.keySet() + "]";
  }
}
