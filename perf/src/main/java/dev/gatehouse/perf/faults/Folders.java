package dev.gatehouse.perf.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Whole folders. */
final class Folders {

  private Folders() {}

  /** Copies all files but locks. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(each -> !each.endsWith("LOCK")).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  static void replace(Path folder, Path image) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    copy(image, folder);
  }

  /** The bytes of some files below a folder; files may appear and disappear meanwhile. */
  static long bytes(Path folder, Predicate<Path> some) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(some).mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    }
  }
}
