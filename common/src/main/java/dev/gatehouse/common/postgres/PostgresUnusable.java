package dev.gatehouse.common.postgres;

import java.sql.SQLNonTransientConnectionException;

/** PostgreSQL cannot be used, or must not be; the message is one sentence with the remedy. */
public final class PostgresUnusable extends SQLNonTransientConnectionException {
  private static final long serialVersionUID = 1;

  private final boolean isAway;

  PostgresUnusable(String sentence) {
    super(sentence);
    this.isAway = false;
  }

  PostgresUnusable(String sentence, Throwable cause) {
    this(sentence, cause, false);
  }

  PostgresUnusable(String sentence, Throwable cause, boolean isAway) {
    super(sentence, cause);
    this.isAway = isAway;
  }

  /** Returns whether no server that takes writes answers, which says nothing against the configuration. */
  public boolean isAway() {
    return isAway;
  }
}
