package dev.gatehouse.common.db;

final class MemoryMailOutboxTest extends MailOutboxContract {

  private final MailOutbox outbox = new MemoryMailOutbox();

  @Override
  protected MailOutbox outbox() {
    return outbox;
  }
}
