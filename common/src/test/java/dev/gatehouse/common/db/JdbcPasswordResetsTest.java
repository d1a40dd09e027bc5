package dev.gatehouse.common.db;


final class JdbcPasswordResetsTest extends PasswordResetsContract {

  private final Database database = EmptiedDatabase.get();
  private final PasswordResets resets = new JdbcPasswordResets(database);

  @Override
  protected PasswordResets resets() {
    return resets;
  }
}
