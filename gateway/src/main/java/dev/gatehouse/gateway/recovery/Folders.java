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

/** Folders that are moved as a whole. */
final class Folders {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

  private Folders() {}

  /** A new folder below {@code data/replaced} for what is moved aside: nothing is deleted. */
  static Path aside(Path data, Instant now) throws IOException {
    Path aside = data.resolve("replaced").resolve(STAMP.format(now));
    PrivateFiles.createFolder(aside);
    return aside;
  }

  /** Moves it, where it is there. */
  static void move(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      PrivateFiles.createFolder(parent(to));
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
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
