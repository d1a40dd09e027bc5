package dev.gatehouse.common.db;

import dev.gatehouse.common.analytics.RollupStore;

final class JdbcRollupsTest extends RollupsContract {

  private final Database database = EmptiedDatabase.get();

  @Override
  protected RollupStore rollups() {
    return new JdbcRollups(database);
  }
}
