package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.key.SealingKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/** The folder of recorded decisions: {@code YYYY-MM-DD.jsonl} for each day in UTC. */
final class DecisionFiles {

  private static final String END = ".jsonl";

  private final Path folder;
  private final SealingKey sealing;

  DecisionFiles(Path folder, SealingKey sealing) {
    this.folder = folder;
    this.sealing = sealing;
  }

  DecisionFile of(LocalDate day) {
    return new DecisionFile(folder.resolve(day + END), sealing);
  }

  /** Creates the folder and removes the files of days before the one before {@code today}. */
  void begin(LocalDate today) throws IOException {
    PrivateFiles.createFolder(folder);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (isOld(String.valueOf(file.getFileName()), today)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isOld(String name, LocalDate today) {
    try {
      // What was left of thinning is named after its day, too.
      return name.length() >= 10 && LocalDate.parse(name.substring(0, 10)).isBefore(today.minusDays(1)) || name.endsWith(END + ".new");
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}
