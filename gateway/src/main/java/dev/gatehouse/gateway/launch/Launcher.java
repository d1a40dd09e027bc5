package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.OperationCommands;
import java.io.PrintStream;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The entry point of {@code ./gatehouse}. */
public final class Launcher {

  /** Commands that have, or show, a command for each operation of the administration; others start without reading its description. */
  private static final Set<String> WITH_OPERATIONS = Set.of("admin", "completion");

  /** Commands that start a node or an agent: they start without reading the other commands, which takes a tenth of a second. */
  private static final Map<String, Supplier<Object>> STARTS =
      Map.of("demo", DemoCommand::new, "run", RunCommand::new, "agent", AgentCommand::new);

  /** EX_SOFTWARE of sysexits.h. */
  static final int DIED = 70;

  private Launcher() {}

  public static void main(String[] arguments) {
    System.exit(exitCode(() -> commandLine(arguments.length == 0 ? "" : arguments[0]).execute(arguments), System.err));
  }

  /** Returns the exit code of a command; of one that dies of an error, too, whose other threads would keep the process. */
  static int exitCode(IntSupplier command, PrintStream err) {
    try {
      return command.getAsInt();
    } catch (Throwable e) {
      e.printStackTrace(err);
      return DIED;
    }
  }

  /** Returns the part of the command line that is needed if the first word is this. */
  static CommandLine commandLine(String first) {
    Supplier<Object> start = STARTS.get(first);
    if (start != null) {
      return commandLine(
          new CommandLine(CommandSpec.create().name("gatehouse").addSubcommand(first, new CommandLine(start.get()))));
    }
    return WITH_OPERATIONS.contains(first) ? commandLine() : commandLine(new CommandLine(new GatehouseCommand()));
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
