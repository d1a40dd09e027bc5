package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The files of a configuration directory as the database holds them: secrets that are written into a realm's file, variables of the
 * environment and files of keys are named secrets; other variables are their values; files outside of the directory are in {@code
 * files/}. Comments stay.
 *
 * @param files contents by their paths
 * @param secrets values by their names
 * @param notes for the person who imports
 */
public record ImportedFiles(SortedMap<String, byte[]> files, SortedMap<String, byte[]> secrets, List<String> notes) {

  static final ImportedFiles NONE = new ImportedFiles(new TreeMap<>(), new TreeMap<>(), List.of());

  /**
   * Reads the realms' files beside {@code gatehouse.yaml}.
   *
   * @throws ConfigurationInvalid with every problem
   */
  public static ImportedFiles of(ConfigurationFiles directory) throws ConfigurationInvalid {
    directory.readBeside().configuration();
    return of(directory, realm -> true);
  }

  /** Reads some realms' files beside {@code gatehouse.yaml}, which may be wrong. */
  public static ImportedFiles of(ConfigurationFiles directory, Predicate<String> realmFile) {
    FileImport work = new FileImport(directory, directory.named(realmFile));
    return new ImportedFiles(work.files(), work.secrets(), List.copyOf(work.notes()));
  }

  /** Returns these files, with their secrets and older ones. */
  FileTree tree(Map<String, FileTree.File> olderSecrets) {
    SortedMap<String, FileTree.File> tree = new TreeMap<>(olderSecrets);
    files.forEach((path, content) -> tree.put(path, new FileTree.File(content, false)));
    secrets.forEach((name, value) -> tree.put(FileTree.secret(name), new FileTree.File(value, true)));
    return new FileTree(tree);
  }

  /** Does not contain contents and values. */
  @Override
  public String toString() {
    return "ImportedFiles[" + new ArrayList<>(files.keySet()) + ", " + secrets.keySet() + "]";
  }
}
