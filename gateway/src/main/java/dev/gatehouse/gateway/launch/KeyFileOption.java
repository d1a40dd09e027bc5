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

  /**
   * Returns the key; empty if a temporary one is to be made. What no header field can have is refused here, because the client's message
   * about the field would repeat the key.
   */
  Optional<String> key() {
    return file.map(KeyFileOption::read);
  }

  private static String read(Path file) {
    String key = text(file).strip();
    if (key.isEmpty()) {
      throw new StartRefused(file + " is empty: write an administrator key into it.");
    }
    if (key.lines().count() > 1) {
      throw new StartRefused(file + " has more than one line: write one administrator key on one line, and nothing else.");
    }
    if (!key.chars().allMatch(character -> character > ' ' && character <= '~')) {
      throw new StartRefused(
          file + " has a character that no administrator key has, such as a space or a byte order mark: write the key alone, in ASCII.");
    }
    return key;
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
