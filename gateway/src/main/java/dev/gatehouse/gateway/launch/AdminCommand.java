package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.NodeAccess;
import dev.gatehouse.gateway.cli.NodeApi;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Override
    public NodeApi open() throws IOException {
      NodeConnection connection = NodeConnection.open(RevisionCommands.served(where).node(), keyFile.key(), KEY_PREFIX);
      return new NodeApi(connection.address(), connection.http(), connection.key(), connection::close);
    }
  }
}
