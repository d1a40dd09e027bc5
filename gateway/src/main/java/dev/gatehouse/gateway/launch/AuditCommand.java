package dev.gatehouse.gateway.launch;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Search and verify the audit log.",
    subcommands = {AuditSearchCommand.class, AuditVerifyCommand.class})
final class AuditCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }
}
