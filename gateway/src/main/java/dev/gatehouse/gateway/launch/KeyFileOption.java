package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.GivenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The administrator key of a command that calls a running node. */
final class KeyFileOption {
  @Option(names = "--key-file", paramLabel = "FILE", description = "An administrator key for a running node; by default a temporary one is made.")
  private Optional<Path> file = Optional.empty();

  /** Returns the key; empty if a temporary one is to be made. */
  Optional<String> key() {
    return file.map(given -> text(given).strip());
  }

  /** Returns the text of a file that a command line names. */
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new StartRefused(GivenFile.problem(file, e));
    }
  }
}
