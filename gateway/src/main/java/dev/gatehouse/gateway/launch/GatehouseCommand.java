package dev.gatehouse.gateway.launch;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command itself: without a subcommand it explains what there is. */
@Command(
    name = "gatehouse",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "A federation gateway: identity provider, service provider and authorizing reverse proxy.",
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      CheckCommand.class,
      KeysCommand.class,
      FederateCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      RecoverCommand.class,
      VersionCommand.class,
      ScriptCommands.Test.class,
      ScriptCommands.Fuzz.class,
      ScriptCommands.Bench.class,
      ScriptCommands.Train.class,
      ScriptCommands.Package.class
    },
    footer = {
      "",
      "Exit codes: 0 all is well, 1 problems, which are printed, 2 the command line was not understood.",
      "Environment: GATEHOUSE_JAVA_HOME names the JDK, GATEHOUSE_JAVA_OPTS adds options for it."
    })
final class GatehouseCommand implements Runnable {

  @Spec private CommandSpec spec;

  GatehouseCommand() {
    // picocli replaces it before anything runs.
    this.spec = CommandSpec.create();
  }

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }
}
