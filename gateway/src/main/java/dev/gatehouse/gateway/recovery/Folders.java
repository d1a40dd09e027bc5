package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Operations on folders that are moved as a whole. */
final class Folders {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

  private Folders() {}

  /** A new folder below {@code data/replaced} for files that are moved aside: nothing is deleted. */
  static Path aside(Path data, Instant now) throws IOException {
    Path aside = data.resolve("replaced").resolve(STAMP.format(now));
    PrivateFiles.createFolder(aside);
    return aside;
  }

  /** Moves a folder if it exists; the move is on disk when this returns. */
  static void move(Path from, Path to) throws IOException {
    if (PrivateFiles.look(from).isPresent()) {
      PrivateFiles.createFolder(parent(to));
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      PrivateFiles.force(parent(to));
      PrivateFiles.force(parent(from));
    }
  }

  /** The folder that holds the file. */
  static Path parent(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder");
  }

  static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Forces all files below the folder to disk, then the folders with their entries. */
  static void force(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        PrivateFiles.force(each);
      }
    }
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
