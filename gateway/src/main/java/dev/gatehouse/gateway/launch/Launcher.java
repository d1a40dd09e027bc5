package dev.gatehouse.gateway.launch;

import picocli.CommandLine;

/** The entry point of {@code ./gatehouse}. */
public final class Launcher {

  private Launcher() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new GatehouseCommand())
        .setUsageHelpWidth(100)
        .setExecutionExceptionHandler(new StartFailures())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
