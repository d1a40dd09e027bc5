package dev.gatehouse.common.db;

final class MemoryConsentsTest extends ConsentsContract {

  private final Consents consents = new MemoryConsents(time);

  @Override
  protected Consents consents() {
    return consents;
  }
}
