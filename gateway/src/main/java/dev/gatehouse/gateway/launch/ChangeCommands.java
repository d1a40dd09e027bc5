package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.revision.PlannedChange;
import dev.gatehouse.gateway.revision.ProposedFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands that change a configuration in the database of a running node. */
final class ChangeCommands {

  private static final String EXIT_CODES =
      "Exit codes: 0 the configuration is in use, 1 nothing was changed, or that is not certain, 2 wrong command line.";

  private ChangeCommands() {}

  /** {@code ./gatehouse apply}. */
  @Command(
      name = "apply",
      mixinStandardHelpOptions = true,
      description = {
        "Bring a configuration into use at the running node, as a new revision in its database.",
        "",
        "DIR replaces all realms, FILE (a realms/NAME.yaml) one of them, with the files that they name. Variables of this command's "
            + "environment, secrets in files and private keys become named secrets. Where the node reads the configuration from files, "
            + "change those."
      },
      footer = {"", EXIT_CODES})
  static final class Apply implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "DIR|FILE", description = "A folder with realms/, or the file of one realm.")
    private Path proposed = Path.of("");

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for people who read the revisions later.")
    private String reason = "-";

    @Option(
        names = "--expect",
        paramLabel = "NUMBER",
        description = "The revision that the change was made for; if another one is in use, nothing is changed. By default the one in use.")
    private Optional<Long> expected = Optional.empty();

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
      Configuration configuration = RevisionCommands.served(where);
      ProposedFolder files = RevisionCommands.proposed(proposed, configuration.source());
      PrintWriter out = spec.commandLine().getOut();
      files.notes().forEach(note -> out.println(SafeText.line("note: " + note)));
      return print(
          out,
          RevisionCommands.atNode(
              configuration.node(), keyFile.key(), client -> client.apply(files, expected.orElseGet(client::inUse), reason)));
    }
  }

  /** {@code ./gatehouse rollback}. */
  @Command(
      name = "rollback",
      mixinStandardHelpOptions = true,
      description = {
        "Bring the files of a revision back into use at the running node, as a new revision in its database.",
        "",
        "Secrets keep their present values. Where the node reads the configuration from files, change those."
      },
      footer = {"", EXIT_CODES})
  static final class Rollback implements Callable<Integer> {

    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Parameters(paramLabel = "NUMBER", description = "The revision.")
    private long number;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for people who read the revisions later.")
    private Optional<String> reason = Optional.empty();

    @Mixin private KeyFileOption keyFile = new KeyFileOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
      Node node = RevisionCommands.served(where).node();
      return print(
          spec.commandLine().getOut(),
          RevisionCommands.atNode(node, keyFile.key(), client -> client.rollBack(number, client.inUse(), reason)));
    }
  }

  private static int print(PrintWriter out, PlannedChange change) {
    change.printApplied(out);
    return change.problems().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
