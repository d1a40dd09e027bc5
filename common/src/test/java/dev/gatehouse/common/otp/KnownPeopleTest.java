package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;

/** The register with H2. */
final class KnownPeopleTest extends KnownPeopleContract {

  private final Database database = EmptiedDatabase.get();

  @Override
  protected Database database() {
    return database;
  }
}
