package dev.gatehouse.common.db;

final class MemoryPersonSecretsTest extends PersonSecretsContract {

  private final PersonSecrets secrets = new MemoryPersonSecrets();

  @Override
  protected PersonSecrets secrets() {
    return secrets;
  }
}
