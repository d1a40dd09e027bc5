package dev.gatehouse.idp.otp;

/** What a hash of a PIN costs. It is no setting: tests that need many hashes have cheap ones. */
public record PinCost(int memoryKib, int iterations) {

  /** The least that OWASP recommends for Argon2id. */
  public static final PinCost USUAL = new PinCost(19_456, 2);
}
