package dev.gatehouse.common.postgres;

import java.sql.SQLNonTransientConnectionException;

/** PostgreSQL cannot be used, or must not be; the message is one sentence with the remedy. */
public final class PostgresUnusable extends SQLNonTransientConnectionException {
  private static final long serialVersionUID = 1;

  PostgresUnusable(String sentence) {
    super(sentence);
  }

  PostgresUnusable(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
