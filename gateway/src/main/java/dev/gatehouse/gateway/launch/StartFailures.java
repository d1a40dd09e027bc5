package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.db.DatabaseUnavailable;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.demo.DemoRefused;
import dev.gatehouse.gateway.demo.PortTaken;
import dev.gatehouse.gateway.node.SharedUnusable;
import dev.gatehouse.gateway.recovery.RecoveryFailed;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Distinguishes an operator's mistake, which is explained in a sentence, from an internal error, which is printed with
 * its stack trace.
 */
final class StartFailures implements IExecutionExceptionHandler {
  private static final String DATA_IN_USE = "Is another node running with this data folder? Is it writable, and the disk not full?";

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<List<String>> explanation = explain(cause);
      if (explanation.isPresent()) {
        // A running node's answer may repeat what others wrote.
        explanation.get().forEach(line -> command.getErr().println(SafeText.lines(line)));
        return CommandLine.ExitCode.SOFTWARE;
      }
    }
    failure.printStackTrace(command.getErr());
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static Optional<List<String>> explain(Throwable failure) {
    return switch (failure) {
      case StartRefused refused -> Optional.of(refused.lines());
      case NodeCallFailed call -> Optional.of(List.of(String.valueOf(call.getMessage())));
      case ConfigurationInvalid invalid -> Optional.of(RunningNode.refused(invalid).lines());
      case DemoRefused demo -> Optional.of(String.valueOf(demo.getMessage()).lines().toList());
      case PortTaken taken -> Optional.of(List.of(taken.getMessage() + " — stop the other program, or use --port-base"));
      case StoreDamaged damaged -> Optional.of(damaged.sentences());
      case RecoveryFailed failed -> Optional.of(List.of(String.valueOf(failed.getMessage())));
      case SharedUnusable shared -> Optional.of(List.of(String.valueOf(shared.getMessage()), "The node was not started."));
      case PostgresUnusable postgres -> Optional.of(List.of(String.valueOf(postgres.getMessage())));
      case MoveMark.Moved moved -> Optional.of(List.of(String.valueOf(moved.getMessage())));
      case DataLock.Held held -> Optional.of(List.of(String.valueOf(held.getMessage())));
      case FileUnreadable file -> Optional.of(List.of(String.valueOf(file.getMessage()), "The node was not started."));
      case TokenUnavailable token -> Optional.of(List.of(token.sentence(), "The node was not started."));
      case StoreUnavailable store -> Optional.of(List.of(withCause(store), DATA_IN_USE));
      case DatabaseUnavailable database -> Optional.of(List.of(String.valueOf(database.getMessage()), DATA_IN_USE));
      case AuditUnavailable audit -> Optional.of(List.of(withCause(audit), "A node does not run without its audit log."));
      case Throwable other -> Optional.empty();
    };
  }

  private static String withCause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
  }
}
