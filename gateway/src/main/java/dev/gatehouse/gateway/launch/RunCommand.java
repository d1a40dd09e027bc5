package dev.gatehouse.gateway.launch;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Run a node until it is stopped (SIGTERM, Ctrl-C).",
      "The folder holds gatehouse.yaml and realms/NAME.yaml; `check` validates them without starting anything."
    })
final class RunCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    RunningNode node = RunningNode.start(config, System.getenv());
    spec.commandLine().getOut().println("Gatehouse is ready");
    Termination.await(node);
    return ExitCode.OK;
  }
}
