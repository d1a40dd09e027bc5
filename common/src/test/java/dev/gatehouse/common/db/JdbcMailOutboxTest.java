package dev.gatehouse.common.db;

import org.junit.jupiter.api.AfterEach;

final class JdbcMailOutboxTest extends MailOutboxContract {

  private final Database database = Database.inMemory();
  private final MailOutbox outbox = new JdbcMailOutbox(database);

  @Override
  protected MailOutbox outbox() {
    return outbox;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
