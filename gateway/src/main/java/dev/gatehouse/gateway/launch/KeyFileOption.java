package dev.gatehouse.gateway.launch;

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
  Optional<String> key() throws IOException {
    return file.isPresent() ? Optional.of(Files.readString(file.get()).strip()) : Optional.empty();
  }
}
