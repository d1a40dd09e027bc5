package dev.gatehouse.common.passkey;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;

class JdbcPasskeysTest extends PasskeysContract {

  private final Database database = EmptiedDatabase.get();
  private final Passkeys passkeys = new JdbcPasskeys(database);

  @Override
  protected Passkeys passkeys() {
    return passkeys;
  }
}
