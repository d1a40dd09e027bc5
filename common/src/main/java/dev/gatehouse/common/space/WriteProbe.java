package dev.gatehouse.common.space;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Tries whether a block can be written to a folder. */
public final class WriteProbe {

  private static final int BLOCK = 4096;

  private WriteProbe() {}

  /** Why nothing can be written there; empty where it can. */
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
      // The disk is read-only: then the file is not there either.
    }
  }
}
