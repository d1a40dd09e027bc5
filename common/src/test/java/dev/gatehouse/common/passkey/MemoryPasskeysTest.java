package dev.gatehouse.common.passkey;

class MemoryPasskeysTest extends PasskeysContract {

  private final Passkeys passkeys = new MemoryPasskeys();

  @Override
  protected Passkeys passkeys() {
    return passkeys;
  }
}
