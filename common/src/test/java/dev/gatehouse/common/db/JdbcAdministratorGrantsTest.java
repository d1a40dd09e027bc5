package dev.gatehouse.common.db;


final class JdbcAdministratorGrantsTest extends AdministratorGrantsContract {

  private final Database database = EmptiedDatabase.get();
  private final AdministratorGrants grants = new JdbcAdministratorGrants(database);

  @Override
  protected AdministratorGrants grants() {
    return grants;
  }
}
