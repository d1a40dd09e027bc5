package dev.gatehouse.common.passkey;

import dev.gatehouse.common.db.Database;
import org.junit.jupiter.api.AfterEach;

class JdbcPasskeysTest extends PasskeysContract {

  private final Database database = Database.inMemory();
  private final Passkeys passkeys = new JdbcPasskeys(database);

  @Override
  protected Passkeys passkeys() {
    return passkeys;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
