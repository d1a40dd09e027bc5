package dev.gatehouse.common.db;

final class MemoryPasswordResetsTest extends PasswordResetsContract {

  private final PasswordResets resets = new MemoryPasswordResets();

  @Override
  protected PasswordResets resets() {
    return resets;
  }
}
