package dev.gatehouse.common.postgres;

import dev.gatehouse.common.node.PostgresConfig;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Sentences for failures to connect: what is wrong, and what would be right. */
final class PostgresProblems {

  private PostgresProblems() {}

  static PostgresUnusable explained(PostgresConfig config, SQLException failure) {
    return new PostgresUnusable("PostgreSQL (" + config.address() + ") " + sentence(config, failure), failure, isAway(failure));
  }

  /** @param message of what reads or changes the tables */
  static String tables(String message) {
    return "has tables that this program cannot use (" + message.lines().findFirst().orElse("").strip()
        + "): use the version of Gatehouse that made them, or restore the backup of the database";
  }

  private static boolean isAway(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    String state = Optional.ofNullable(failure.getSQLState()).orElse("");
    return !isTls(failure, message) && (state.startsWith("08") || state.equals("57P03") || message.contains("targetServerType"));
  }

  private static String sentence(PostgresConfig config, SQLException failure) {
    String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("").strip();
    if (isTls(failure, message)) {
      return "offers no TLS that can be trusted (" + message + "): give the server a certificate for its name (ssl = on), and name its "
          + "authority in postgresql.ca";
    }
    String state = Optional.ofNullable(failure.getSQLState()).orElse("");
    return switch (state) {
      case "28P01", "28000" ->
          "refuses the user " + config.user() + " (" + message + "): correct postgresql.user and postgresql.password, or pg_hba.conf of "
              + "the server";
      case "3D000" ->
          "has no database " + config.database() + ": create it (createdb -O " + config.user() + " " + config.database()
              + "), or correct postgresql.url";
      case "42501" ->
          "gives the user " + config.user() + " too few rights (" + message + "): make the user the owner of the database";
      case "53300" ->
          "has no connection left (" + message + "): raise max_connections of the server, or lower postgresql.connections of the nodes";
      case "57P03" -> "is not ready (" + message + "): wait until it has started";
      default ->
          message.contains("targetServerType")
              ? "has no server that takes writes: start the primary, promote a standby, or correct postgresql.url"
              : "does not answer (" + reason(failure, message) + "): start it, or correct postgresql.url";
    };
  }

  private static boolean isTls(SQLException failure, String message) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return true;
      }
    }
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("ssl") || lower.contains("could not be verified by hostnameverifier");
  }

  private static String reason(SQLException failure, String message) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = cause == failure ? message : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    return text.lines().findFirst().orElse(message);
  }
}
