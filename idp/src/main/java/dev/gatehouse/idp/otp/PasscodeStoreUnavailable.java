package dev.gatehouse.idp.otp;

/** The stores of tokens cannot be asked. Ways in say so where their protocol can, and stay silent where another server may answer. */
public final class PasscodeStoreUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** @param cause what the store said */
  public PasscodeStoreUnavailable(Throwable cause) {
    super("the stores of tokens cannot be asked", cause);
  }
}
