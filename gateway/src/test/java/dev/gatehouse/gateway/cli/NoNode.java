package dev.gatehouse.gateway.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The access of commands that nobody runs. */
final class NoNode implements NodeAccess {

  @Option(names = "--config", description = "Folder.")
  Optional<String> config = Optional.empty();

  @Override
  public NodeApi open() {
    throw new AssertionError("nobody runs it");
  }
}
