package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.demo.PortTaken;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells an operator's mistake, which a sentence explains, from a fault of ours, which needs its stack trace. */
final class StartFailures implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortTaken taken) {
        command.getErr().println(taken.getMessage() + " — stop the other program, or use --port-base");
        return CommandLine.ExitCode.SOFTWARE;
      }
      if (cause instanceof StartRefused refused) {
        refused.lines().forEach(command.getErr()::println);
        return CommandLine.ExitCode.SOFTWARE;
      }
    }
    failure.printStackTrace(command.getErr());
    return CommandLine.ExitCode.SOFTWARE;
  }
}
