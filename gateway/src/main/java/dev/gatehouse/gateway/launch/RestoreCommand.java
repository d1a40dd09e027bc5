package dev.gatehouse.gateway.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse restore}. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Put a backup in place of the node's data; the node must be stopped.",
      "A restore loses every change since the backup: all sessions and tokens end, recovery codes are removed, and codes "
          + "of authenticator apps of time steps until the restore are refused. The audit log stays as it is. The former "
          + "data are moved to replaced/ in the data folder."
    })
final class RestoreCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Option(names = "--from", required = true, paramLabel = "FILE", description = "A file written by `backup`.")
  private Path from = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (!Files.isReadable(from)) {
      throw new StartRefused("There is no file " + from + " that can be read.");
    }
    try (StoppedNode node = StoppedNode.of(config, StoppedNode.RESTORE)) {
      node.recovery().restore(from).forEach(spec.commandLine().getOut()::println);
    }
    return ExitCode.OK;
  }
}
