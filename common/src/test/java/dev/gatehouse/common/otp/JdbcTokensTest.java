package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import org.junit.jupiter.api.AfterEach;

/** Tokens in the embedded database; those in PostgreSQL are tested with its other tables. */
final class JdbcTokensTest extends TokensContract {

  private final Database database = Database.inMemory();
  private final Tokens tokens = new JdbcTokens(database);

  @Override
  protected Tokens tokens() {
    return tokens;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
