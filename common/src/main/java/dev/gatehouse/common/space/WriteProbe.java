package dev.gatehouse.common.space;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether a block can be written to a folder. */
public final class WriteProbe {

  private static final int BLOCK = 4096;

  private WriteProbe() {}

  /** Returns why nothing can be written there; empty if a block can be written. */
  public static synchronized Optional<String> problem(Path directory) {
    Path file = directory.resolve(".write-probe");
    try {
      Files.write(file, new byte[BLOCK]);
      Files.delete(file);
      return Optional.empty();
    } catch (IOException e) {
      deleteQuietly(file);
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // On a read-only disk the file was not created either.
    }
  }
}
