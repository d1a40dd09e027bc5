package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.OperationCommands;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;

/** The entry point of {@code ./gatehouse}. */
public final class Launcher {

  /** Commands that have, or show, a command for each operation of the administration; others start without reading its description. */
  private static final Set<String> WITH_OPERATIONS = Set.of("admin", "completion");

  private Launcher() {}

  public static void main(String[] arguments) {
    boolean needsOperations = arguments.length > 0 && WITH_OPERATIONS.contains(arguments[0]);
    System.exit((needsOperations ? commandLine() : commandLine(new CommandLine(new GatehouseCommand()))).execute(arguments));
  }

  /** Returns the whole command line. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new GatehouseCommand());
    OperationCommands.addTo(Objects.requireNonNull(line.getSubcommands().get("admin")), AdminCommands.Access::new, System.in);
    return commandLine(line);
  }

  private static CommandLine commandLine(CommandLine line) {
    return line.setUsageHelpWidth(100)
        .setExecutionExceptionHandler(new StartFailures())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
