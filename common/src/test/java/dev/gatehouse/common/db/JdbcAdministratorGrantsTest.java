package dev.gatehouse.common.db;

import org.junit.jupiter.api.AfterEach;

final class JdbcAdministratorGrantsTest extends AdministratorGrantsContract {

  private final Database database = Database.inMemory();
  private final AdministratorGrants grants = new JdbcAdministratorGrants(database);

  @Override
  protected AdministratorGrants grants() {
    return grants;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
