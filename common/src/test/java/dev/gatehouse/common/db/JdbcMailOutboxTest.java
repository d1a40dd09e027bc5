package dev.gatehouse.common.db;


final class JdbcMailOutboxTest extends MailOutboxContract {

  private final Database database = EmptiedDatabase.get();
  private final MailOutbox outbox = new JdbcMailOutbox(database);

  @Override
  protected MailOutbox outbox() {
    return outbox;
  }
}
