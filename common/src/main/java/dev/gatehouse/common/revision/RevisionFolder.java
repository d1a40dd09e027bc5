package dev.gatehouse.common.revision;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder {@code data/configuration} of a node whose configuration is in the database: a copy of the revision in use, for commands
 * and for those who read keys and metadata by themselves. The node itself never reads the copy, and writes it anew at each start.
 */
final class RevisionFolder implements ProposedFiles.Contents {

  private static final String CONTENTS = ProposedFiles.CONTENTS_FOLDER;

  private final Path folder;

  /** Contents that came to the disk for the proposal at hand. */
  private final List<Path> added = new ArrayList<>();

  RevisionFolder(Path folder) {
    this.folder = folder;
  }

  Path path() {
    return folder;
  }

  /** Removes what an earlier run left. */
  void clear() {
    try {
      if (Files.isDirectory(folder)) {
        remove(folder.resolve(CONTENTS));
      }
      PrivateFiles.createFolder(folder.resolve(CONTENTS));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + folder, e);
    }
  }

  /** Returns a file with that content, named by its digest, so that it has the same path in every revision. */
  @Override
  public Path onDisk(byte[] content) {
    Path file = folder.resolve(CONTENTS).resolve(Sha256.hex(content));
    if (!Files.exists(file)) {
      added.add(file);
    }
    write(file, content);
    return file;
  }

  /** Keeps the contents of a proposal that came into use. */
  void keep() {
    added.clear();
  }

  /** Removes the contents of a proposal that did not come into use: anybody may propose without end. */
  void discard() {
    try {
      for (Path file : added) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove contents from " + folder, e);
    } finally {
      added.clear();
    }
  }

  /** Makes the copy that of those files. */
  void copy(FileTree tree) {
    tree.files().forEach((path, file) -> write(folder.resolve(path), file.content()));
    for (Path other : others(tree)) {
      try {
        Files.deleteIfExists(other);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<Path> others(FileTree tree) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.startsWith(folder.resolve(CONTENTS)))
          .filter(file -> !tree.files().containsKey(folder.relativize(file).toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, byte[] content) {
    try {
      if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), content)) {
        return;
      }
      Path above = file.toAbsolutePath().resolveSibling("").normalize();
      PrivateFiles.createFolder(above);
      PrivateFiles.replace(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
