package dev.gatehouse.gateway.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print a script that lets a shell complete commands and options of gatehouse.",
      "",
      "bash: source <(./gatehouse completion bash)",
      "zsh:  source <(./gatehouse completion zsh)",
      "fish: ./gatehouse completion fish | source"
    })
public final class CompletionCommand implements Callable<Integer> {

  /** A shell. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        switch (shell) {
          case BASH, ZSH -> AutoComplete.bash(root.getCommandName(), root);
          case FISH -> FishCompletion.script(root);
        });
    out.flush();
    return ExitCode.OK;
  }
}
