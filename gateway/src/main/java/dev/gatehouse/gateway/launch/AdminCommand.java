package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.cli.NodeAccess;
import dev.gatehouse.gateway.cli.NodeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse admin}; {@link Launcher} adds a command for each operation of the administration. */
@Command(
    name = "admin",
    mixinStandardHelpOptions = true,
    description = {
      "Administer the running node: each operation of its REST interface is a command.",
      "",
      "For example: ./gatehouse admin partners list --realm demo --output json"
    })
final class AdminCommand implements Runnable {

  private static final String KEY_PREFIX = "admin-";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }

  /** The node whose configuration the command names, with a key from a file, or a temporary one. */
  static final class Access implements NodeAccess {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Option(names = "--key-file", paramLabel = "FILE", description = "An administrator key; by default a temporary one is made.")
    private Optional<Path> keyFile = Optional.empty();

    @Override
    public NodeApi open() throws IOException {
      Optional<String> key = keyFile.isPresent() ? Optional.of(Files.readString(keyFile.get()).strip()) : Optional.empty();
      Node node = RevisionCommands.served(where);
      NodeConnection connection = NodeConnection.open(node, key, KEY_PREFIX);
      return new NodeApi(connection.address(), connection.http(), connection.key(), connection::close);
    }
  }
}
