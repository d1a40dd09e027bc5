package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.CompletionCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The top-level command; without a subcommand it prints its usage. */
@Command(
    name = "gatehouse",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "A federation gateway: identity provider, service provider and authorizing reverse proxy.",
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      AgentCommand.class,
      CheckCommand.class,
      RevisionCommands.Plan.class,
      ChangeCommands.Apply.class,
      ChangeCommands.Rollback.class,
      RevisionCommands.Export.class,
      SchemaCommand.class,
      KeysCommand.class,
      AdminCommands.Admin.class,
      OtpCommands.Otp.class,
      AdminCommands.Replay.class,
      AuditCommand.class,
      FederateCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      RecoverCommand.class,
      MigrateCommand.class,
      BuildVersion.Print.class,
      CompletionCommand.class,
      ScriptCommands.Test.class,
      ScriptCommands.LongTest.class,
      ScriptCommands.Fuzz.class,
      ScriptCommands.Contract.class,
      ScriptCommands.Bench.class,
      ScriptCommands.Train.class,
      ScriptCommands.Package.class,
      ScriptCommands.Image.class
    },
    footer = {
      "",
      "Exit codes: 0 success, 1 problems, which are printed, 2 wrong command line.",
      "Environment: GATEHOUSE_JAVA_HOME names the JDK, GATEHOUSE_JAVA_OPTS adds options for it."
    })
final class GatehouseCommand implements Runnable {

  @Spec private CommandSpec spec;

  GatehouseCommand() {
    // picocli replaces it before the command runs.
    this.spec = CommandSpec.create();
  }

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }
}
