package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "Validate a configuration and print every problem with file, line, key and remedy.")
final class CheckCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Problem> problems = new ConfigurationFiles(config, System.getenv()).check();
    problems.forEach(out::println);
    out.println(problems.isEmpty() ? "No problems." : problems.size() == 1 ? "1 problem." : problems.size() + " problems.");
    return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
