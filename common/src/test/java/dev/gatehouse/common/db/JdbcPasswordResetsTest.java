package dev.gatehouse.common.db;

import org.junit.jupiter.api.AfterEach;

final class JdbcPasswordResetsTest extends PasswordResetsContract {

  private final Database database = Database.inMemory();
  private final PasswordResets resets = new JdbcPasswordResets(database);

  @Override
  protected PasswordResets resets() {
    return resets;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
