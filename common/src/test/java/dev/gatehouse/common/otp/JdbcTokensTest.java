package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;

/** Tokens in the embedded database; those in PostgreSQL are tested with its other tables. */
final class JdbcTokensTest extends TokensContract {

  private final Database database = EmptiedDatabase.get();
  private final Tokens tokens = new JdbcTokens(database);

  @Override
  protected Tokens tokens() {
    return tokens;
  }
}
