package dev.gatehouse.common.db;

import dev.gatehouse.common.analytics.RollupStore;
import org.junit.jupiter.api.AfterEach;

final class JdbcRollupsTest extends RollupsContract {

  private final Database database = Database.inMemory();

  @Override
  protected RollupStore rollups() {
    return new JdbcRollups(database);
  }

  @AfterEach
  void close() {
    database.close();
  }
}
