package dev.gatehouse.gateway.launch;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse federate}. */
@Command(
    name = "federate",
    mixinStandardHelpOptions = true,
    description = "Persistent federation: lasting names of people at partners.",
    subcommands = {BulkCommand.class})
final class FederateCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }
}
