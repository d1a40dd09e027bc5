package dev.gatehouse.idp.otp;

/**
 * No passcode can be decided about now: the stores of tokens cannot be asked, or too many PINs are being checked. Ways in say so where
 * their protocol can, and stay silent where another server may answer.
 */
public final class PasscodeStoreUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean busy;

  /** @param cause what the store said */
  public PasscodeStoreUnavailable(Throwable cause) {
    super("the stores of tokens cannot be asked", cause);
    this.busy = false;
  }

  private PasscodeStoreUnavailable() {
    super("more PINs are being checked than this node can check in time");
    this.busy = true;
  }

  static PasscodeStoreUnavailable busy() {
    return new PasscodeStoreUnavailable();
  }

  /** Returns whether only the load of this node is the reason: the same passcode can be tried again at once. */
  public boolean isBusy() {
    return busy;
  }
}
