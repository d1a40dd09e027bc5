package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.db.Database;
import org.junit.jupiter.api.AfterAll;

class PatternDetectorTest extends PatternDetectorContract {

  private static final Database DATABASE = Database.inMemory();

  @Override
  protected Database database() {
    return DATABASE;
  }

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }
}
