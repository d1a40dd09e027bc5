package dev.gatehouse.common.db;

final class MemoryRegisteredClientsTest extends RegisteredClientsContract {

  private final RegisteredClients clients = new MemoryRegisteredClients();

  @Override
  protected RegisteredClients clients() {
    return clients;
  }
}
