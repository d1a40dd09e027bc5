package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import org.junit.jupiter.api.AfterEach;

/** The register with H2. */
final class KnownPeopleTest extends KnownPeopleContract {

  private final Database database = Database.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  protected Database database() {
    return database;
  }
}
